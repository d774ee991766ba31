import ControlProtocol
import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    @Suite("Requests")
    struct RequestTests {
        @Test("a thousand in one write are answered in their order")
        func manyAtOnce() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(
                (0..<1_000).map { request($0, "fleet.show", #"{"fleet":"f\#($0)"}"#) }.joined())
            for id in 0..<1_000 {
                #expect(client.line() == response(id, #"{ "fleet":"f\#(id)" }"#))
            }
        }

        @Test("in pieces are answered once they are whole")
        func pieces() throws {
            let served = try Served()
            let client = try served.connect()
            for byte in request(1, "fleet.list").utf8 { client.send([byte]) }
            #expect(client.line() == response(1, "true"))
        }

        @Test("of exactly the limit are served; one byte more ends the session")
        func limit() throws {
            let served = try Served { $0.lineBytes = 200 }
            let client = try served.connect()
            let call = request(1, "fleet.list").dropLast()
            let line = call + String(repeating: " ", count: 200 - call.utf8.count)
            client.send(line + "\n" + line + "\r\n")
            #expect(client.line() == response(1, "true"))
            #expect(client.line() == response(1, "true"))
            client.send(request(2, "fleet.list") + line + " \n" + request(3, "fleet.list"))
            #expect(client.line() == response(2, "true"))
            let refused = client.line()
            #expect(
                refused?.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"#) == true)
            #expect(refusal(in: refused) == "line_too_long")
            #expect(client.isAtEnd)
            #expect(served.server.counters.linesRefused == 1)
            #expect(eventually { served.handler.closed == [1] })
        }

        @Test("of the whole default limit are served")
        func wholeLimit() throws {
            let served = try Served()
            let client = try served.connect()
            let call = request(1, "fleet.list").dropLast()
            client.send(
                call + String(repeating: " ", count: LineFramer.lineBytesMax - call.utf8.count)
                    + "\n")
            #expect(client.line() == response(1, "true"))
        }

        @Test("in one write with the end of one and the begin of the next are told apart")
        func cutAnywhere() throws {
            let served = try Served()
            let client = try served.connect()
            let lines = (0..<3).map { request($0, "fleet.show", #"{"fleet":"f\#($0)"}"#) }.joined()
            for cut in 1..<lines.utf8.count {
                client.send(Array(lines.utf8.prefix(cut)))
                client.send(Array(lines.utf8.dropFirst(cut)))
                for id in 0..<3 {
                    #expect(client.line() == response(id, #"{ "fleet":"f\#(id)" }"#))
                }
            }
        }

        @Test("have ids of any size, and get them back")
        func hugeNumbers() throws {
            let served = try Served()
            let client = try served.connect()
            for id in ["-0", "1e400", String(repeating: "9", count: 100_000), "0.1"] {
                client.send(#"{"id":\#(id),"method":"fleet.list"}"# + "\n")
                #expect(client.line() == #"{"jsonrpc":"2.0","id":\#(id),"result":true}"#)
            }
        }

        @Test("without a newline at the end of the stream are served")
        func noNewline() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(request(1, "fleet.list") + request(2, "fleet.list").dropLast())
            client.shutDownWriting()
            #expect(client.line() == response(1, "true"))
            #expect(client.line() == response(2, "true"))
            #expect(client.isAtEnd)
        }

        @Test("are answered after their peer has shut down its writing side")
        func halfClose() throws {
            let served = try Served()
            let client = try served.connect()
            let pause = #"{"fleet":"f"}"#
            client.send(request(1, "fleet.pause", pause) + request(2, "fleet.pause", pause))
            client.shutDownWriting()
            for id in 1...2 {
                #expect(eventually { served.handler.heldCount == 1 })
                #expect(served.handler.requests.count == id, "the next one waits")
                served.handler.release()
                #expect(client.line() == response(id, #""released""#))
            }
            #expect(client.isAtEnd)
            #expect(eventually { served.handler.closed == [1] })
        }

        // swift-format-ignore
        @Test("that are none are refused, and the session goes on", arguments: [
            "hello", "{", "\u{7F}", "[1,2", #"{"id":1,"method":"fleet.lits"}"#, #"{"method":1}"#,
            #"{"id":1,"id":2,"method":"fleet.list"}"#,
            #"{"id":1,"method":"fleet.show","params":{"fleet":"a","fleet":"b"}}"#,
            #"{"id":1,"method":"why","params":{"fleet":"a","device":1e400}}"#,
            #"{"id":1,"method":"why","params":{"fleet":"a","device":18446744073709551617}}"#,
            #"{"id":1,"method":"fleet.list"}\#u{0}"#, #"{"id":1,"method":"\ud800"}"#,
            String(repeating: "[", count: 1 << 19), String(repeating: "{\"a\":", count: 9_999),
            String(repeating: "[", count: 9_999) + String(repeating: "]", count: 9_999),
        ].map { Array($0.utf8) } + [[0], [0xFF, 0xFE], [0xC3], [0x22, 0xED, 0xA0, 0x80, 0x22]])
        func garbage(_ line: [UInt8]) throws {
            let served = try Served()
            let client = try served.connect()
            client.send(line + [0x0A])
            #expect(refusal(in: client.line()) != nil)
            client.send("\r\n\n" + request(2, "fleet.list"))
            #expect(client.line() == response(2, "true"))
            #expect(served.server.counters.linesRefused == 1)
        }

        @Test("in a batch are served one after the other, and answered in one line")
        func batch() throws {
            let served = try Served()
            let client = try served.connect()
            let pause = #"{"id":1,"method":"fleet.pause","params":{"fleet":"f"}}"#
            let list = #"{"method":"fleet.list"}"#
            client.send(#"[\#(pause),\#(list),7,\#(pause)]"# + "\n" + request(9, "fleet.list"))
            #expect(eventually { served.handler.heldCount == 1 })
            #expect(served.handler.requests.count == 1)
            served.handler.release()
            #expect(eventually { served.handler.heldCount == 1 })
            #expect(served.handler.requests.count == 3)
            served.handler.release()
            let line = try #require(client.line())
            let released = response(1, #""released""#)
            #expect(line.hasPrefix("[\(released),{"))
            #expect(line.hasSuffix(",\(released)]"))
            #expect(refusal(in: line) == "invalid_request")
            #expect(client.line() == response(9, "true"))
        }

        @Test("in a batch are refused after replies of the limit's length")
        func longBatch() throws {
            let served = try Served { $0.queuedReplyBytes = 10_000 }
            let client = try served.connect()
            let call = #"{"id":1,"method":"why","params":{"fleet":"f","device":6000}}"#
            client.send("[\(Array(repeating: call, count: 64).joined(separator: ","))]\n")
            let line = try #require(client.line())
            #expect(refusal(in: line) == "limit_reached")
            #expect(served.handler.requests.count == 2)
            #expect(line.utf8.count < 30_000)
            client.send(request(2, "fleet.list"))
            #expect(client.line() == response(2, "true"))
        }

        @Test("that their handler lets go of are answered all the same")
        func noAnswer() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(request(1, "fleet.stop", #"{"fleet":"f"}"#))
            #expect(refusal(in: client.line()) == "internal_error")
        }

        @Test("get their answer before what is told after it")
        func order() throws {
            let served = try Served()
            let client = try served.connect()
            for _ in 0..<100 {
                client.send(request(1, "watch", #"{"fleet":"f"}"#))
                #expect(client.line() == response(1, #"{"subscription":"s1"}"#))
                #expect(client.line()?.contains("now") == true)
            }
        }

        @Test("of two peers do not wait for each other")
        func sideBySide() throws {
            let served = try Served()
            let (first, second) = (try served.connect(), try served.connect())
            first.send(request(1, "fleet.pause", #"{"fleet":"f"}"#))
            #expect(eventually { served.handler.heldCount == 1 })
            second.send(request(2, "fleet.list"))
            #expect(second.line() == response(2, "true"))
            served.handler.release()
            #expect(first.line() == response(1, #""released""#))
        }
    }
}
