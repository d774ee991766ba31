import Foundation

/// Files that are made of the verbs and of the table of methods, in a folder such as `config`.
enum GeneratedFiles {
    /// By path in the folder.
    static let whole: [(path: String, text: String)] = [
        ("man/locfleet.1", ManualPages.locfleet), ("man/locfleetd.8", ManualPages.locfleetd),
        ("man/locfleet-bench.1", ManualPages.bench),
        ("completions/locfleet.bash", BashCompletion.text),
        ("completions/_locfleet", ZshCompletion.text),
        ("completions/locfleet.fish", FishCompletion.text),
    ]

    /// Pages of which parts are made, where the folder has them.
    static let pages = ["README.md", "daemon.md"]

    /// Writes all of them.
    ///
    /// - Returns: the paths that were written.
    static func write(to folder: String) throws(CommandError) -> [String] {
        var written: [String] = []
        do {
            for (path, text) in whole {
                let url = URL(filePath: "\(folder)/\(path)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
                written.append("\(folder)/\(path)")
            }
            for page in pages {
                let url = URL(filePath: "\(folder)/\(page)")
                guard let data = try? Data(contentsOf: url) else { continue }
                let text = ReferenceTables.renewed(String(decoding: data, as: UTF8.self))
                try Data(text.utf8).write(to: url)
                written.append("\(folder)/\(page)")
            }
        } catch {
            throw CommandError(
                "\(folder): \(error.localizedDescription)", status: .failed)
        }
        return written
    }
}
