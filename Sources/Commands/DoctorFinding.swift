import DaemonRuntime
import Reports

/// One thing that `locfleet doctor` has looked at.
struct DoctorFinding: Equatable {
    enum Verdict: String, CaseIterable {
        case ok
        /// Said, and not judged.
        case note
        /// It works, until it is asked for much.
        case warning
        /// Something would not work.
        case fails
    }

    var name: String
    var verdict = Verdict.ok
    /// What is.
    var found: String
    /// What is needed, where something is.
    var needs: String?
    /// What to do about it.
    var advice: String?

    init(
        _ name: String, _ verdict: Verdict = .ok, _ found: String, needs: String? = nil,
        do advice: String? = nil
    ) {
        (self.name, self.verdict, self.found) = (name, verdict, found)
        (self.needs, self.advice) = (needs, advice)
    }
}

extension DoctorFacts {
    /// Descriptors of a daemon beside those of its clients: a fleet's file and log, and its own.
    private static let ownDescriptors = 576
    /// What a journal and results may come to.
    private static let diskBytesDue: UInt64 = 256 << 20
    /// A coarser clock would be seen in the rate of paced fleets.
    private static let clockSecondsMax = 0.001

    /// Judges everything: equal facts give equal findings, in this order.
    var findings: [DoctorFinding] {
        [
            descriptorsFinding, memoryFinding, groupFinding, processorsFinding, diskFinding,
            socketFinding, clockFinding, networkFinding, localeFinding,
            DoctorFinding(
                "libraries", .note,
                libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")),
        ].compactMap { $0 }
    }

    private var descriptorsFinding: DoctorFinding {
        let name = "descriptors"
        guard let descriptors else { return DoctorFinding(name, .note, "no limit is known") }
        let (soft, hard) = descriptors
        let due = UInt64(connections + Self.ownDescriptors)
        let found =
            "at most \(Self.limit(soft)), \(Self.limit(hard)) if asked for, as locfleetd does"
        guard hard < due else { return DoctorFinding(name, .ok, found) }
        return DoctorFinding(
            name, hard < 64 ? .fails : .warning, found,
            needs: "\(due) for \(connections) clients at a time and 256 fleets",
            do: "have the hard limit raised, as with LimitNOFILE=\(due) in its unit")
    }

    private static func limit(_ number: UInt64) -> String {
        number > 1 << 62 ? "without end" : String(number)
    }

    private var memoryFinding: DoctorFinding {
        let found = availableBytes.map { "\(Self.size($0)) can still be had" } ?? "not known"
        guard let scenario else { return DoctorFinding("memory", .note, found) }
        let needs =
            "about \(Self.size(scenario.bytes)) for \(grouped(scenario.devices)) devices of "
            + scenario.name
        guard let availableBytes else { return DoctorFinding("memory", .note, found, needs: needs) }
        if scenario.bytes > availableBytes {
            let each = max(scenario.bytes / max(scenario.devices, 1), 1) * UInt64(scenario.arms)
            // A round number, with some room.
            let most = availableBytes / each / 10_000 * 9_000
            return DoctorFinding(
                "memory", .fails, found, needs: needs,
                do: "take --devices \(most) or fewer, free memory, or raise the limit")
        }
        guard scenario.bytes > availableBytes / 10 * 8 else {
            return DoctorFinding("memory", .ok, found, needs: needs)
        }
        return DoctorFinding(
            "memory", .warning, found, needs: needs,
            do: "leave room: scripts that remember much take more")
    }

    private var groupFinding: DoctorFinding? {
        guard let memoryLimitBytes else { return nil }
        return DoctorFinding(
            "control group", .note, "memory.max is \(Self.size(memoryLimitBytes))")
    }

    private var processorsFinding: DoctorFinding {
        let found = "\(processors), as many workers as a daemon has by itself"
        guard let processorQuota, processorQuota < Double(processors) else {
            return DoctorFinding("processors", .ok, found)
        }
        let workers = max(1, Int(processorQuota))
        return DoctorFinding(
            "processors", .warning,
            "\(processors), but cpu.max lets \(TenthsText.of(processorQuota)) of them work",
            needs: "as many workers as may work at a time",
            do: "start locfleetd and run with --workers \(workers)")
    }

    private var diskFinding: DoctorFinding {
        let name = "state folder"
        guard let stateFolder else {
            return DoctorFinding(
                name, .fails, "there is none: $HOME is not set",
                needs: "a folder to keep fleets in",
                do: "set HOME or XDG_STATE_HOME, or start locfleetd with --state or --no-state")
        }
        guard let disk else {
            return DoctorFinding(
                name, .fails, "\(stateFolder): nothing is known of it",
                needs: "a folder to keep fleets in", do: "name another with locfleetd --state")
        }
        let found =
            "\(stateFolder), \(Self.size(disk.freeBytes)) free"
            + (disk.kind.map { " on \($0)" } ?? "")
        guard disk.isWritable else {
            return DoctorFinding(
                name, .fails, "\(found); \(disk.folder) cannot be written to",
                needs: "a folder that this user may write to",
                do: "mend its permissions, or name another with locfleetd --state")
        }
        if disk.freeBytes < 1 << 20 {
            return DoctorFinding(
                name, .fails, found, needs: Self.size(Self.diskBytesDue),
                do: "free some, or name another with locfleetd --state")
        }
        switch disk.kind {
        case "tmpfs"?, "ramfs"?:
            return DoctorFinding(
                name, .warning, found, needs: "a disk",
                do: "what is in memory is gone when the machine restarts: name another with --state"
            )
        case "nfs"?, "cifs"?, "smb2"?, "9p"?:
            return DoctorFinding(
                name, .warning, found, needs: "a disk of this machine",
                do:
                    "locks over a network are not to be trusted: name another with --state"
            )
        default: break
        }
        guard disk.freeBytes < Self.diskBytesDue else { return DoctorFinding(name, .ok, found) }
        return DoctorFinding(
            name, .warning, found, needs: Self.size(Self.diskBytesDue), do: "free some")
    }

    private var socketFinding: DoctorFinding {
        let most = ControlSocketPath.bytesMax
        guard socket.utf8.count <= most else {
            return DoctorFinding(
                "daemon", .fails, "the socket's path has \(socket.utf8.count) bytes",
                needs: "a path of at most \(most)", do: "name a shorter one with --socket")
        }
        switch answer {
        case .daemon(clientVersion):
            return DoctorFinding("daemon", .ok, "locfleetd \(clientVersion) answers at \(socket)")
        case .daemon(let version):
            return DoctorFinding(
                "daemon", .warning, "locfleetd \(version) answers at \(socket)",
                needs: "the client's version, \(clientVersion)", do: "restart the daemon")
        case .nobody:
            return DoctorFinding(
                "daemon", .note, "nobody answers at \(socket)",
                do: "'locfleetd &' starts one; 'locfleet run' needs none")
        case .trouble(let why):
            return DoctorFinding(
                "daemon", .fails, why, needs: "a daemon that answers, or no socket",
                do: "start locfleetd anew, or name another socket")
        }
    }

    private var clockFinding: DoctorFinding {
        guard let clockSeconds else {
            return DoctorFinding(
                "clock", .fails, "there is no CLOCK_MONOTONIC", needs: "one for paced fleets",
                do: "run on a Linux of today")
        }
        let found = "steps of \(Int((clockSeconds * 1e9).rounded())) ns"
        guard clockSeconds > Self.clockSecondsMax else { return DoctorFinding("clock", .ok, found) }
        return DoctorFinding(
            "clock", .warning, found, needs: "1 ms or finer for paced fleets",
            do: "run fleets flat out, or have high-resolution timers switched on")
    }

    private var networkFinding: DoctorFinding {
        let range = ports?.split(whereSeparator: \.isWhitespace).joined(separator: " to ")
        return DoctorFinding(
            "network", .note,
            "ports \(range ?? "not known") for outgoing connections; "
                + "somaxconn \(backlog ?? "not known")")
    }

    private var localeFinding: DoctorFinding {
        let name = locale.uppercased()
        guard name.contains("UTF-8") || name.contains("UTF8") else {
            return DoctorFinding(
                "locale", .note, locale.isEmpty ? "none is set" : locale,
                needs: "UTF-8, for names and bars", do: "set LC_ALL=C.UTF-8")
        }
        return DoctorFinding("locale", .ok, locale)
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }
}

/// `1.5`, and `2` without a fraction.
enum TenthsText {
    static func of(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
