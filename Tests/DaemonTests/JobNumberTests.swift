import Bundles
import ControlProtocol
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ControlService
@testable import StateStore

extension DaemonSuite {
    @Suite("Numbers of jobs")
    struct JobNumberTests {
        private func step(_ caller: Caller, _ fleet: String = "a") throws -> String {
            let call = #"{"fleet":"\#(fleet)","span":"1h"}"#
            return try #require(try caller.call("fleet.step", call)["job"]?.string)
        }

        @Test("are never given twice, whichever daemon gives them")
        func restarts() throws {
            let folder = SocketFolder()
            var given: [String] = []
            for round in 0..<4 {
                let daemon = try Daemon(in: folder)
                let caller = try daemon.connect()
                if round == 0 {
                    try caller.create("a", try bundle(devices: 5, days: 30), #","paused":true"#)
                } else {
                    let (code, _) = try caller.refusal("wait", #"{"job":"\#(given[0])"}"#)
                    #expect(code == "no_such_job")
                }
                // The last leaves a goal, which is a job of the next daemon.
                given += [try step(caller), try step(caller)]
                try caller.call("fleet.rate", #"{"fleet":"a","rate":"0.001x"}"#)
                let until = try caller.call("fleet.until", #"{"fleet":"a","until":"20d"}"#)
                given.append(try #require(until["job"]?.string))
                given += try caller.call("jobs").array?.first?["job"]?.string.map { [$0] } ?? []
                given = given.enumerated().filter { !given.prefix($0.offset).contains($0.element) }
                    .map(\.element)
                #expect(given.count == (round == 0 ? 3 : 3 + 4 * round))
                daemon.end(round % 2 == 0 ? SIGKILL : SIGTERM)
            }
            #expect(given.first == "j1")
        }

        @Test("are used up by what is begun alone, and begin at j1 where nothing is kept")
        func refusals() throws {
            let daemon = try Hosted()
            let caller = try daemon.connect()
            try caller.create("a", try bundle(devices: 5), #","paused":true"#)
            #expect(try step(caller) == "j1")
            for call in [
                #"{"fleet":"a","until":"share(asked) >="}"#, #"{"fleet":"a","until":"0s"}"#,
                #"{"fleet":"b","until":"1d"}"#,
            ] { _ = try caller.refusal("fleet.until", call) }
            _ = try caller.refusal("fleet.fork", #"{"fleet":"a","name":"a"}"#)
            _ = try caller.refusal("fleet.fork", #"{"fleet":"a","name":"b","at":"3d"}"#)
            #expect(try step(caller) == "j2")
        }

        @Test("are set aside in blocks, each before the first of it is given")
        func blocks() throws {
            let folder = SocketFolder()
            let count = Jobs.numbersAtOnce
            func begin(_ jobs: Jobs) throws -> String {
                try jobs.hold()
                let id = jobs.begin(.fleetStep, fleet: "a", goal: "1h")
                jobs.end(id, .done, at: .start)
                return id
            }
            do {
                let jobs = Jobs(try StateFolder(folder.state))
                for number in 1...count + 1 { #expect(try begin(jobs) == "j\(number)") }
                for _ in 0..<10 {
                    try jobs.hold()
                    jobs.letGo()
                }
                #expect(try begin(jobs) == "j\(count + 2)")
            }
            #expect(try begin(Jobs(try StateFolder(folder.state))) == "j\(2 * count + 1)")
            let path = folder.state + "/jobs"
            for text in ["", "x\n", "-1\n", "99999999999999999999\n", "10", "1e3\n"] {
                try Data(text.utf8).write(to: URL(filePath: path))
                let error = #expect(throws: ControlError.self) {
                    try begin(Jobs(try StateFolder(folder.state)))
                }
                #expect(error?.code == .stateError)
                #expect(error?.message.hasPrefix("\(path): the number of a job") == true)
            }
        }
    }
}
