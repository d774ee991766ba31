// swift-tools-version:6.2
import PackageDescription

// The map of the modules is Sources/README.md. Arrows point down only:
//   locfleet -> Commands -> DaemonRuntime, Reports, Conformance, Bundles, LuaScripting, Telemetry
//            -> Check -> DryRun, Lint
//            -> Simulation -> DeviceCore, Metrics -> AuthorizationCore -> SimPrimitives
let package = Package(
    name: "locfleet",
    products: [
        .executable(name: "locfleet", targets: ["locfleet"]),
        .executable(name: "locfleetd", targets: ["locfleetd"]),
        .executable(name: "locfleet-bench", targets: ["locfleet-bench"]),
    ],
    targets: [
        // C: system libraries, and the only code allowed to raise Lua errors.
        .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
        .systemLibrary(name: "CSleef", pkgConfig: "sleef", providers: [.apt(["libsleef-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CGlibc"),
        .target(name: "CLuaShim", dependencies: ["CLua", "CSleef"]),

        // Pure: no Foundation, no Dispatch, no libc. Checked by HouseRulesTests.
        .target(
            name: "SimPrimitives", dependencies: ["CSleef"], linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "AuthorizationCore", dependencies: ["SimPrimitives"],
            exclude: ["README.md", "TRANSITIONS.md"]),
        .target(name: "DeviceCore", dependencies: ["AuthorizationCore", "SimPrimitives"]),
        .target(name: "Metrics", dependencies: ["SimPrimitives"]),
        .target(
            name: "Simulation",
            dependencies: ["AuthorizationCore", "DeviceCore", "Metrics", "SimPrimitives"]),

        .target(
            name: "DryRun",
            dependencies: ["AuthorizationCore", "DeviceCore", "SimPrimitives", "Simulation"]),

        // Bytes in, values out, and back.
        .target(name: "JSONText"),
        .target(name: "ControlProtocol", dependencies: ["JSONText"]),
        .target(
            name: "Telemetry",
            dependencies: [
                "AuthorizationCore", "DeviceCore", "JSONText", "SimPrimitives", "Simulation",
            ]),

        // Edges.
        .target(
            name: "Bundles",
            dependencies: [
                "AuthorizationCore", "CCrypto", "DeviceCore", "JSONText", "Metrics",
                "SimPrimitives",
                "Simulation",
            ]),
        .target(
            name: "LuaScripting",
            dependencies: [
                "AuthorizationCore", "CLuaShim", "DeviceCore", "SimPrimitives", "Simulation",
            ],
            resources: ["strings", "tables", "patterns", "sandbox", "tests"].map {
                .embedInCode("Prelude/\($0).lua")
            }),
        .target(name: "ScriptAPI", dependencies: ["JSONText"]),
        .target(
            name: "Conformance",
            dependencies: ["AuthorizationCore", "DeviceCore", "JSONText", "SimPrimitives"]),
        .target(
            name: "Lint",
            dependencies: [
                "AuthorizationCore", "Bundles", "DeviceCore", "JSONText", "SimPrimitives",
                "Simulation",
            ]),
        .target(
            name: "Check",
            dependencies: [
                "AuthorizationCore", "Bundles", "DeviceCore", "DryRun", "JSONText", "Lint",
                "LuaScripting", "Metrics", "SimPrimitives", "Simulation",
            ],
            resources: ["behavior.lua", "strategy.lua", "scenario.json5"].map {
                .embedInCode("Starts/\($0)")
            }),
        .target(
            name: "ScriptTests",
            dependencies: [
                "AuthorizationCore", "Bundles", "DeviceCore", "JSONText", "Lint", "LuaScripting",
                "SimPrimitives", "Simulation",
            ]),
        .target(
            name: "Reports",
            dependencies: [
                "AuthorizationCore", "Check", "DeviceCore", "JSONText", "Lint", "LuaScripting",
                "Metrics",
                "SimPrimitives", "Simulation", "Telemetry",
            ]),
        .target(
            name: "Shards",
            dependencies: [
                "AuthorizationCore", "Bundles", "JSONText", "Metrics", "SimPrimitives",
                "Simulation",
            ]),
        .target(name: "StateStore", dependencies: ["Bundles", "CSQLite", "JSONText"]),
        .target(
            name: "DaemonRuntime",
            dependencies: [
                "CGlibc", "CMicrohttpd", "ControlProtocol", "JSONText", "LuaScripting",
                "SimPrimitives",
                "Simulation", "Telemetry",
            ]),
        .target(
            name: "Commands",
            dependencies: [
                "AuthorizationCore", "Bundles", "Check", "Conformance", "ControlProtocol",
                "ControlService", "DaemonRuntime", "JSONText", "Lint", "LuaScripting", "Metrics",
                "Reports", "ScriptAPI", "ScriptTests", "Shards", "SimPrimitives", "Simulation",
                "StateStore", "Telemetry",
            ]),

        .target(
            name: "ControlService",
            dependencies: [
                "AuthorizationCore", "Bundles", "ControlProtocol", "DaemonRuntime", "DeviceCore",
                "JSONText", "LuaScripting", "Reports", "Shards", "SimPrimitives", "Simulation",
                "StateStore", "Telemetry",
            ]),

        // Executables: parse arguments, call one function, set an exit status.
        .executableTarget(name: "locfleet", dependencies: ["Commands"]),
        .executableTarget(name: "locfleetd", dependencies: ["Commands"]),
        .executableTarget(
            name: "locfleet-bench",
            dependencies: ["Commands"]),

        .testTarget(name: "SimPrimitivesTests", dependencies: ["SimPrimitives"]),
        .testTarget(name: "AuthorizationCoreTests", dependencies: ["AuthorizationCore"]),
        .testTarget(name: "DeviceCoreTests", dependencies: ["DeviceCore"]),
        .testTarget(name: "MetricsTests", dependencies: ["Metrics"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "TestSupport"]),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
        .testTarget(name: "ControlProtocolTests", dependencies: ["ControlProtocol", "JSONText"]),
        .testTarget(
            name: "ControlSocketTests",
            dependencies: [
                "Commands", "ControlProtocol", "DaemonRuntime", "JSONText", "TestSupport",
            ]),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Bundles", "Commands", "ControlProtocol", "ControlService", "DaemonRuntime",
                "JSONText",
                "Reports", "SimPrimitives", "Simulation", "StateStore", "TestSupport", "locfleet",
                "locfleetd",
            ]),
        .testTarget(
            name: "TelemetryTests", dependencies: ["Telemetry", "TestSupport"], exclude: ["Golden"]),
        .testTarget(
            name: "BundlesTests", dependencies: ["Bundles", "JSONText", "TestSupport"],
            exclude: ["Data", "Golden"]),
        .testTarget(
            name: "LuaScriptingTests",
            dependencies: ["CLuaShim", "LuaScripting", "ScriptAPI", "TestSupport"],
            exclude: ["Data", "Golden"]),
        .testTarget(
            name: "ConformanceTests", dependencies: ["Conformance", "TestSupport"],
            exclude: ["Data"]),
        .testTarget(
            name: "LintTests",
            dependencies: [
                "AuthorizationCore", "Bundles", "Lint", "LuaScripting", "Reports", "Simulation",
                "TestSupport", "locfleet",
            ], exclude: ["Golden"]),
        .testTarget(
            name: "CheckTests",
            dependencies: [
                "AuthorizationCore", "Bundles", "Check", "DryRun", "LuaScripting", "Reports",
                "Simulation", "TestSupport", "locfleet",
            ]),
        .testTarget(
            name: "ReportsTests", dependencies: ["Reports", "TestSupport"], exclude: ["Golden"]),
        .testTarget(
            name: "ShardsTests",
            dependencies: ["Bundles", "Metrics", "Shards", "Simulation", "TestSupport", "locfleet"]),
        .testTarget(
            name: "DeterminismTests", dependencies: ["JSONText", "locfleet", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AuthorizationCore", "Bundles", "Commands", "ControlProtocol", "ControlService",
                "DaemonRuntime", "JSONText", "Metrics", "ScriptAPI", "SimPrimitives",
                "Simulation", "TestSupport", "locfleet", "locfleet-bench", "locfleetd",
            ]),
        .testTarget(
            name: "HouseRulesTests",
            dependencies: ["ControlProtocol", "LuaScripting", "Simulation", "TestSupport"]),
        .target(
            name: "TestSupport",
            dependencies: ["AuthorizationCore", "DeviceCore", "SimPrimitives", "Simulation"],
            path: "Tests/TestSupport"),
    ],
    swiftLanguageModes: [.v6]
)
