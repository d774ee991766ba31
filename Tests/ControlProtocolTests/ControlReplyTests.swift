import ControlProtocol
import JSONText
import Testing

@Suite("Control replies")
struct ControlReplyTests {
    private func response(
        _ line: String
    ) throws -> (id: String, result: Result<ControlResult, ControlRefusal>) {
        guard case .response(let id, let result) = try ControlReply(line: Array(line.utf8)) else {
            throw ControlError(.invalidRequest, "a notification")
        }
        return (id, result)
    }

    // swift-format-ignore
    @Test("keep a result's text as it came", arguments: [
        (#"{"jsonrpc":"2.0","id":1,"result":{"a": [1, 2 ] }}"#, #"{"a": [1, 2 ] }"#),
        (#"{"result" :  "é}," , "id":1}"#, #""é},""#),
        (#" { "id" : 1, "result" : 2.50 } "#, "2.50"),
        (#"{"id":1,"result":null}"#, "null"),
    ])
    func text(_ line: String, _ text: String) throws {
        let (id, result) = try response(line)
        #expect(id == "1")
        #expect(try result.get().text == text)
    }

    @Test("carry every code's exit status", arguments: ControlError.Code.allCases)
    func refusals(_ code: ControlError.Code) throws {
        let error = ControlError(code, "so \"it\" is", parameter: "p")
        guard case (let id, .failure(let refusal)) = try response(error.line) else {
            Issue.record("no refusal")
            return
        }
        #expect(id == "null")
        #expect(refusal.number == code.number)
        #expect(refusal.message == error.message)
        #expect(refusal.code == code.rawValue)
        #expect(refusal.parameter == "p")
        #expect(refusal.exitStatus == code.exitStatus)
    }

    @Test("take codes that are not known yet, and none")
    func unknownCodes() throws {
        for data in [#","data":{"code":"brand_new"}"#, #","data":7"#, ""] {
            let line = #"{"id":"x","error":{"code":-32050,"message":"m"\#(data)}}"#
            guard case (let id, .failure(let refusal)) = try response(line) else {
                Issue.record("no refusal")
                return
            }
            #expect(id == #""x""#)
            #expect(refusal.exitStatus == 1)
        }
    }

    @Test("tell notifications apart")
    func notifications() throws {
        let line = ControlMessage.notification("funnel", #"{"lost":0}"#)
        guard case .notification("funnel", let node) = try ControlReply(line: Array(line.utf8)),
            case .object(let members) = node.value
        else {
            Issue.record("no notification")
            return
        }
        #expect(members.map(\.name) == ["lost"])
    }

    // swift-format-ignore
    @Test("of no daemon are refused", arguments: ["", "HTTP/1.1 400 Bad Request", "[]", "{}", #"{"id":1}"#, #"{"result":1}"#, #"{"id":[],"result":1}"#, #"{"id":1,"error":7}"#, #"{"id":1,"error":{"code":"x","message":"m"}}"#])
    func garbage(_ line: String) {
        #expect(throws: ControlError.self) { try ControlReply(line: Array(line.utf8)) }
    }

    @Test("answer what the client asks")
    func requests() throws {
        let line = ControlMessage.request(id: 3, "fleet.show", #"{"fleet":"a"}"#)
        let call = ControlMessage(line: Array(line.utf8)).calls[0]
        #expect(try call.request.get() == .fleetShow(fleet: "a"))
        #expect(call.id == "3")
    }
}
