import Bundles
import Foundation
import Testing

@Suite("The library's roots")
struct LibraryTests {
    @Test("are those of the environment, where it names some")
    func environment() {
        let roots = Library.roots(
            executable: URL(fileURLWithPath: "/x/y"), environment: ["LOCFLEET_LIBRARY": "/a:/b c"])
        #expect(roots.map(\.path) == ["/a", "/b c"])
    }

    @Test("are the checkout that the executable was built in, also through a link")
    func checkout() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        try workplace.write("tree/scripts/behaviors/a.lua", "")
        try workplace.write("tree/config/a.plist", "")
        try workplace.write("tree/.build/debug/locfleet", "")
        let link = workplace.folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(
            at: link,
            withDestinationURL: workplace.folder.appendingPathComponent(
                "tree/.build/debug/locfleet"))
        let roots = Library.roots(executable: link, environment: [:])
        #expect(roots.map(\.lastPathComponent) == ["tree"])
    }

    @Test("are, elsewhere, where packages install, as far as those exist")
    func installed() {
        let roots = Library.roots(
            executable: URL(fileURLWithPath: "/nowhere/bin/x"),
            environment: ["LOCFLEET_LIBRARY": ""])
        #expect(roots.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    }
}
