import Foundation
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("Fleets that come and go")
    struct CycleTests {
        @Test("leave memory, descriptors, threads and the disk where they were")
        func cycles() throws {
            let programs = Program.url("locfleetd").deletingLastPathComponent()
            let run = try Program.script(
                "scripts/dev/cycles", ["50"],
                environment: ["PROGRAMS": programs.path(percentEncoded: false)])
            #expect(run.status == 0, "\(run.out)\(run.error)")
            #expect(run.out.contains("descriptors"), "\(run.out)")
        }
    }
}
