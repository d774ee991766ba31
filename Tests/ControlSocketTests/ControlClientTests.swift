import ControlProtocol
import DaemonRuntime
import Foundation
import TestSupport
import Testing

@testable import Commands

extension ControlSocketSuite {
    @Suite("A control client")
    struct ControlClientTests {
        @Test("asks, and keeps what it is told meanwhile")
        func calls() throws {
            let served = try Served()
            let client = try ControlClient(path: served.folder.socket, timeoutSeconds: 60)
            #expect(try client.call(.fleetShow, "{\n\"fleet\": \"a\"}").text == #"{ "fleet":"a" }"#)
            #expect(try client.call(.watch, #"{"fleet":"a"}"#).text == #"{"subscription":"s1"}"#)
            #expect(try client.call(.fleetList).text == "true")
            let told = try client.nextNotification()
            #expect(told.method == "record")
            #expect(told.line == #"{"jsonrpc":"2.0","method":"record","params":{"n":"now"}}"#)
            served.stop()
            let error = #expect(throws: CommandError.self) { try client.nextNotification() }
            #expect(error?.status == .noDaemon)
        }

        @Test("takes a long reply")
        func longReply() throws {
            let served = try Served()
            let client = try ControlClient(path: served.folder.socket)
            let result = try client.call(.why, #"{"fleet":"a","device":3000000}"#)
            #expect(result.text.utf8.count == 3_000_002)
        }

        @Test("ends with the status of the daemon's refusal")
        func refusals() throws {
            let served = try Served { $0.lineBytes = 300 }
            let client = try ControlClient(path: served.folder.socket)
            let refused = CommandError("no fleet 'a'", status: .failed)
            #expect(throws: refused) { try client.call(.fleetDelete, #"{"fleet":"a"}"#) }
            let invalid = CommandError(
                "unknown parameter \"flete\"; did you mean \"fleet\"?", status: .usage)
            #expect(throws: invalid) { try client.call(.fleetShow, #"{"flete":"a"}"#) }
            let long = CommandError("a line is at most 300 bytes", status: .usage)
            let name = String(repeating: "a", count: 3_000_000)
            #expect(throws: long) { try client.call(.fleetShow, #"{"fleet":"\#(name)"}"#) }
            let gone = #expect(throws: CommandError.self) { try client.call(.fleetList) }
            #expect(gone?.status == .noDaemon)
        }

        @Test("says so when there is no daemon")
        func noDaemon() {
            let folder = SocketFolder()
            let error = #expect(throws: CommandError.self) {
                try ControlClient(path: folder.socket)
            }
            #expect(error?.status == .noDaemon)
            #expect(
                error?.message
                    == "no daemon at \(folder.socket): No such file or directory; start it with "
                    + "'locfleetd'")
        }

        @Test("waits no longer than it may")
        func timesOut() throws {
            let served = try Served()
            let client = try ControlClient(path: served.folder.socket, timeoutSeconds: 0.05)
            let error = #expect(throws: CommandError.self) {
                try client.call(.fleetPause, #"{"fleet":"a"}"#)
            }
            #expect(error?.status == .timedOut)
            served.handler.release()
        }
    }
}
