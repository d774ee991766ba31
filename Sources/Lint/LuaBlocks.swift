/// The blocks of a Lua source: which calls can follow each other in one go.
enum LuaBlocks {
    /// Whether the name at `place` is called as a method or function of something, or by itself.
    static func isCall(_ tokens: [LuaToken], _ place: Int) -> Bool {
        guard place + 1 < tokens.count else { return false }
        if place > 0, tokens[place - 1].isName("function") { return false }
        let next = tokens[place + 1]
        return next.isSymbol("(") || next.isSymbol("{") || next.kind == .string
    }

    private static let requests = [
        "requestWhenInUseAuthorization", "requestAlwaysAuthorization",
    ]

    /// Whether the name at `place` is a request that is made off the main thread.
    static func isRequestOffMain(_ tokens: [LuaToken], _ place: Int) -> Bool {
        guard requests.contains(tokens[place].text) else { return false }
        var words = tokens[(place + 1)...].prefix(5)
        if words.first?.isSymbol("(") == true { words.removeFirst() }
        let list = Array(words.prefix(4))
        return list.count == 4 && list[0].isSymbol("{") && list[1].isName("thread")
            && list[2].isSymbol("=") && list[3].kind == .string && list[3].text == "background"
    }

    /// The line of the second of both requests, where one function makes both, in neither order
    /// parted by a branch or a `return`; nil where there is no such pair.
    static func backToBack(_ tokens: [LuaToken]) -> Int? {
        let (calls, returns) = marks(in: tokens)
        for (index, first) in calls.enumerated() {
            for second in calls[(index + 1)...] where second.text != first.text {
                guard areTogether(first, second) else { continue }
                let isParted = returns.contains { mark in
                    first.place < mark.place && mark.place < second.place
                        && mark.path.count <= first.path.count
                        && mark.path.elementsEqual(first.path.prefix(mark.path.count))
                }
                if !isParted { return second.line }
            }
        }
        return nil
    }

    /// A call or a `return`, with the blocks around it, from the outermost.
    private struct Mark {
        var text: String
        var place: Int
        var line: Int
        var path: [Block]
    }

    private struct Block: Hashable {
        var id: Int
        /// Of an `if`.
        var branch = 0
        var isFunction: Bool
    }

    private static func areTogether(_ first: Mark, _ second: Mark) -> Bool {
        let function = { (mark: Mark) in mark.path.last { $0.isFunction }?.id }
        guard function(first) == function(second) else { return false }
        for (one, other) in zip(first.path, second.path) where one != other {
            return one.id != other.id  // Else they are branches of one `if`.
        }
        return true
    }

    private static func marks(in tokens: [LuaToken]) -> (calls: [Mark], returns: [Mark]) {
        var (calls, returns): ([Mark], [Mark]) = ([], [])
        var open: [Block] = []
        var count = 0
        var owedDo = 0
        for (place, token) in tokens.enumerated() where token.kind == .name {
            // `a.end` is no Lua; names after a dot or a colon open nothing.
            switch token.text {
            case "function", "if", "for", "while", "repeat":
                count += 1
                open.append(Block(id: count, isFunction: token.text == "function"))
                if token.text == "for" || token.text == "while" { owedDo += 1 }
            case "do":
                if owedDo > 0 {
                    owedDo -= 1
                } else {
                    count += 1
                    open.append(Block(id: count, isFunction: false))
                }
            case "elseif", "else":
                if let last = open.indices.last { open[last].branch += 1 }
            case "end", "until": _ = open.popLast()
            case "return":
                returns.append(Mark(text: "", place: place, line: token.line, path: open))
            default:
                guard requests.contains(token.text), isCall(tokens, place) else { continue }
                calls.append(Mark(text: token.text, place: place, line: token.line, path: open))
            }
        }
        return (calls, returns)
    }
}
