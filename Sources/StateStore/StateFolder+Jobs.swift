import Glibc

/// Numbers of jobs: no two jobs of one folder have the same, whichever daemon gave them.
extension StateFolder {
    private static let name = "jobs"
    private static let newName = ".new-jobs"
    private static let bytesMax = 32

    private var jobsPath: String { "\(path)/\(Self.name)" }

    /// Numbers that nobody has had, and that no later daemon gives. Not from two threads at once.
    ///
    /// - Parameter least: what was given already, whatever the file says.
    public func reserveJobs(_ count: Int, above least: Int) throws(StateError) -> ClosedRange<Int> {
        let last = max(least, try lastReservedJob())
        try keep(lastReservedJob: last + count)
        return last + 1...last + count
    }

    private func lastReservedJob() throws(StateError) -> Int {
        guard Self.kind(of: Self.name, at: root) != nil else { return 0 }
        try Self.expect(.file, Self.name, at: root, jobsPath)
        let file = openat(root, Self.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Self.failure(jobsPath) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.bytesMax)
        let size = read(file, &bytes, bytes.count)
        guard size >= 0 else { throw Self.failure(jobsPath) }
        let text = String(decoding: bytes[..<size], as: UTF8.self)
        guard text.hasSuffix("\n"), let number = Int(text.dropLast()), 0...(1 << 53) ~= number
        else {
            throw StateError(
                .damaged,
                "\(jobsPath): the number of a job is due here, above that of any job so far; take "
                    + "the file away to begin with j1 again")
        }
        return number
    }

    private func keep(lastReservedJob number: Int) throws(StateError) {
        unlinkat(root, Self.newName, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = openat(root, Self.newName, flags, 0o600)
        guard file >= 0 else { throw Self.failure(jobsPath) }
        defer { close(file) }
        var rest = Array("\(number)\n".utf8)
        while !rest.isEmpty {
            let count = write(file, rest, rest.count)
            guard count > 0 else { throw Self.failure(jobsPath) }
            rest.removeFirst(count)
        }
        guard fsync(file) == 0, renameat(root, Self.newName, root, Self.name) == 0,
            fsync(root) == 0
        else { throw Self.failure(jobsPath) }
    }
}
