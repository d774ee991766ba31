import Bundles
import ControlProtocol
import DaemonRuntime
import Foundation
import LuaScripting
import Reports
import StateStore

/// All that `locfleet doctor` looks at, before anything is judged.
struct DoctorFacts {
    /// What answers at the daemon's socket.
    enum Answer: Equatable {
        /// Its version.
        case daemon(String)
        /// Why not.
        case nobody(String)
        /// It is there, and cannot be talked to.
        case trouble(String)
    }

    var descriptors: (soft: UInt64, hard: UInt64)? = Machine.descriptors
    /// The most connections that a daemon serves.
    var connections = ControlLimits().connections
    var availableBytes: UInt64? = Machine.availableBytes
    var memoryLimitBytes: UInt64? = Machine.memoryLimitBytes
    /// Of a scenario: how many devices in how many arms, and the memory that they take.
    var scenario: (name: String, devices: UInt64, arms: Int, bytes: UInt64)?
    var processors = ProcessInfo.processInfo.activeProcessorCount
    var processorQuota: Double? = Machine.processorQuota
    /// Nil: there is no home to keep it in.
    var stateFolder: String?
    var disk: Machine.Disk?
    var socket = ""
    var answer = Answer.nobody("")
    var clientVersion = CommandLineTool.version
    var clockSeconds: Double? = Machine.clockSeconds
    var ports: String? = Machine.text("/proc/sys/net/ipv4/ip_local_port_range")
    var backlog: String? = Machine.text("/proc/sys/net/core/somaxconn")
    /// Of the environment's variables the first that says it.
    var locale = ""
    var libraries: [(name: String, version: String)] = [
        ("Lua", luaRelease.replacingOccurrences(of: "Lua ", with: "")), ("SQLite", sqliteVersion),
        ("libcrypto", libcryptoVersion), ("libmicrohttpd", HTTPServer.libraryVersion),
        ("glibc", Machine.libcVersion),
    ]

    /// Asks the machine, and the daemon if there is one, for a few seconds at most.
    static func asked(
        socket: ControlSocketPath, environment: [String: String], bundle: Bundles.Bundle?
    ) -> DoctorFacts {
        var facts = DoctorFacts()
        if let bundle {
            let (devices, bytes) = Machine.neededBytes(for: bundle.arms)
            facts.scenario = (bundle.scenario.name, devices, bundle.arms.count, bytes)
        }
        facts.stateFolder = StateFolder.standard(environment: environment, uid: getuid())
        facts.disk = facts.stateFolder.flatMap { Machine.disk(of: $0) }
        facts.socket = socket.path
        facts.answer = answer(at: socket)
        facts.locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
            .first { !$0.isEmpty } ?? ""
        return facts
    }

    private static func answer(at socket: ControlSocketPath) -> Answer {
        do throws(ControlServerError) { try socket.checkFolderIfThere() } catch {
            return .trouble(error.message)
        }
        do throws(CommandError) {
            let client = try ControlClient(path: socket.path, timeoutSeconds: 3)
            let status = try client.call(.daemonStatus)
            return .daemon(status.node["version"]?.string ?? "unknown")
        } catch {
            // What a daemon left behind that ended is nobody: the next one takes it away.
            let isShut = access(socket.path, F_OK) == 0 && access(socket.path, W_OK) != 0
            return error.status == .noDaemon && !isShut
                ? .nobody(error.message) : .trouble(error.message)
        }
    }
}
