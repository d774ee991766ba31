import Foundation

/// The text that a golden file holds, from the folder `Golden` beside the test's own file.
///
/// With `LOCFLEET_GOLDEN=rewrite` in the environment the file is written anew from `actual`, to be
/// read as a diff; nil: never.
public func golden(
    _ name: String, rewrittenFrom actual: String?, beside testFile: StaticString = #filePath
) throws -> String {
    let file = URL(fileURLWithPath: "\(testFile)").deletingLastPathComponent()
        .appendingPathComponent("Golden").appendingPathComponent(name)
    if let actual, ProcessInfo.processInfo.environment["LOCFLEET_GOLDEN"] == "rewrite" {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(actual.utf8).write(to: file)
    }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
}
