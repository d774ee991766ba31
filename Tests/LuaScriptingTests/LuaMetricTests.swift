import LuaScripting
import SimPrimitives
import Simulation
import Testing

@Suite("Metrics of Lua scripts")
struct LuaMetricTests {
    private static let body = """
        metric.count("a") metric.count("b", 3) metric.count("b", 2.0) metric.count("c", 1000000000)
        metric.observe("d", -0.5) metric.observe("d", 0) metric.observe("d", 1e12)
        funnel.step("here")
        """

    private func expected(_ names: NameTable) throws -> [ScriptMetric] {
        let id = { (name: String) throws in try #require(names.id(of: name)) }
        return [
            .count(try id("a"), 1), .count(try id("b"), 3), .count(try id("b"), 2),
            .count(try id("c"), 1_000_000_000), .observe(try id("d"), -0.5),
            .observe(try id("d"), 0), .observe(try id("d"), 1e12),
        ]
    }

    @Test("are counted, measured and stepped by strategies, in order")
    func strategy() throws {
        let fixture = Fixture(.launched, Self.body)
        let here = try #require(fixture.names.id(of: "here"))
        #expect(
            try fixture.send(.launched)
                == expected(fixture.names).map { .metric($0) } + [.milestone(here)])
    }

    @Test("and by behaviors", arguments: [HookName.eachDay, .born, .nextOpen])
    func behavior(_ hook: HookName) throws {
        let fixture = Fixture(hook, Self.body + " return 60")
        let here = try #require(fixture.names.id(of: "here"))
        try fixture.run(hook)
        #expect(
            try fixture.acts == expected(fixture.names).map { .metric($0) } + [.milestone(here)])
    }

    @Test("count nothing where the hook fails")
    func failing() throws {
        let fixture = Fixture(.eachDay, Self.body + " error('no')")
        #expect(Fixture.failure { try fixture.run(.eachDay) } != nil)
        #expect(fixture.acts.isEmpty)
    }

    // swift-format-ignore
    static let refused: [(body: String, message: String)] = [
        ("metric.count()", "the name of a counter is a string, not nothing"),
        ("metric.count('')", "the name of a counter has 1 to 64 bytes, not 0"),
        ("metric.count(('x'):rep(65))", "the name of a counter has 1 to 64 bytes, not 65"),
        ("metric.count('a\\0b')", "the name of a counter has no control characters"),
        ("metric.count('x', 0)", "count takes a whole number in 1 ... 1000000000, not 0"),
        ("metric.count('x', -1)", "count takes a whole number in 1 ... 1000000000, not -1"),
        ("metric.count('x', 1.5)", "count takes a whole number in 1 ... 1000000000, not 1.5"),
        ("metric.count('x', 1/0)", "count takes a whole number in 1 ... 1000000000, not inf"),
        ("metric.count('x', 2^53)", "count takes a whole number in 1 ... 1000000000, not 9.007199254741e+15"),
        ("metric.count('x', '3')", "count takes a whole number in 1 ... 1000000000, not '3'"),
        ("metric.observe('x')", "observe takes a number in -1e12 ... 1e12, not nothing"),
        ("metric.observe('x', 0/0)", "observe takes a number in -1e12 ... 1e12, not nan"),
        ("metric.observe('x', -1/0)", "observe takes a number in -1e12 ... 1e12, not -inf"),
        ("metric.observe('x', '3')", "observe takes a number in -1e12 ... 1e12, not '3'"),
        ("metric.observe(3, 3)", "the name of a histogram is a string, not 3"),
        ("metric.cuont('x')", "metric has no 'cuont': did you mean 'count'?"),
        ("metric.x = 1", "'x' cannot be set here: keep it in self or in a local"),
        ("metric:count('x')", "count is called with a dot: metric.count(...)"),
        ("metric:observe('x', 1)", "observe is called with a dot: metric.observe(...)"),
        ("funnel:step('x')", "step is called with a dot: funnel.step(...)"),
        ("funnel.step(7)", "a step of funnels is a string, not 7"),
        ("funnel.steps('x')", "funnel has no 'steps': did you mean 'step'?"),
    ]

    @Test("are told what is wrong, where, and what was meant", arguments: refused)
    func messages(_ body: String, _ message: String) throws {
        let fixture = Fixture(.eachDay, "\n" + body)
        let failure = try #require(Fixture.failure { try fixture.run(.eachDay) })
        #expect(failure.message == "behavior.lua:2: " + message)
    }

    @Test("are for hooks, not for loading", arguments: ["metric.count('x')", "funnel.step('x')"])
    func loading(_ call: String) {
        let error = #expect(throws: ScriptError.self) {
            try ScriptOutline.read(source: "\(call) return {}", name: "x.lua", kind: .strategy)
        }
        #expect(
            error?.description
                == "x.lua:1: metrics and steps are counted only while a hook runs")
    }
}
