// swift-tools-version: 6.3
import PackageDescription

// One list for every Swift target. The upcoming features are described at
// https://github.com/swiftlang/swift-evolution (SE-0335, 0409, 0444, 0461, 0470, 0481).
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "agora-token",
    products: [
        .library(name: "AgoraToken", targets: ["AgoraToken"]),
        .library(name: "AMQP", targets: ["AMQP"]),
        .library(name: "TokenClient", targets: ["TokenClient"]),
        .executable(name: "agora-token", targets: ["agora-token"]),
    ],
    targets: [
        // C libraries of the system: a module map and a header of inline shims each.
        .systemLibrary(name: "CRabbitMQ", pkgConfig: "librabbitmq", providers: [.apt(["librabbitmq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLinux"),

        // What the others take from the system: threads, clocks, descriptors to wait for, small files.
        .target(name: "Platform", dependencies: ["CLinux"], swiftSettings: settings),

        // Message in → policy → sign → lease → reply; due → notice.
        .target(name: "AgoraToken", swiftSettings: settings),
        .target(name: "AMQP", dependencies: ["Platform", "CRabbitMQ", "CLinux"], swiftSettings: settings),
        .target(
            name: "TokenMessages", dependencies: ["AgoraToken"], resources: [.embedInCode("Schemas")],
            swiftSettings: settings),
        .target(
            name: "LeaseStore", dependencies: ["AgoraToken", "Platform", "TokenMessages", "CSQLite", "CPostgres"],
            swiftSettings: settings),
        .target(
            name: "TokenWorker",
            dependencies: [
                "AgoraToken", "AMQP", "Platform", "TokenMessages", "LeaseStore", "CLinux", "CCurl", "CMicroHTTPD",
            ],
            swiftSettings: settings),
        .target(name: "TokenClient", dependencies: ["AMQP", "Platform", "TokenMessages"], swiftSettings: settings),
        .executableTarget(
            name: "agora-token",
            dependencies: [
                "AgoraToken", "AMQP", "LeaseStore", "Platform", "TokenMessages", "TokenWorker", "TokenClient",
            ],
            swiftSettings: settings),

        // What the tests share: a private broker, its management API, worker processes.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        // Stores that do one thing wrong, and a worker on one: what the tests of leases have to find out.
        .target(
            name: "StoreFaults", dependencies: ["LeaseStore", "TokenMessages"], path: "Tests/StoreFaults",
            swiftSettings: settings),
        .executableTarget(
            name: "FaultyWorker", dependencies: ["StoreFaults", "LeaseStore", "TokenWorker"],
            path: "Tests/FaultyWorker", swiftSettings: settings),
        // Debian's zlib, the reference that our own deflate is compared with. No product links it.
        .systemLibrary(name: "CZlib", path: "Tests/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // The README's examples; and what .ci/checks runs: fuzz targets, which do nothing without --sanitize=fuzzer,
        // and scenarios whose instructions are counted.
        .executableTarget(
            name: "TokenExample", dependencies: ["AgoraToken"], path: "Tests/Examples/Token", swiftSettings: settings),
        .executableTarget(
            name: "ClientExample", dependencies: ["AMQP", "TokenClient", "TokenMessages"],
            path: "Tests/Examples/Client", swiftSettings: settings),
        .executableTarget(
            name: "InteropClient", dependencies: ["AMQP", "TokenClient", "TokenMessages"],
            path: "Tests/Interop/swift", swiftSettings: settings),
        .executableTarget(
            name: "ParseFuzzer", dependencies: ["AgoraToken"], path: "Tests/Fuzz/Parse", swiftSettings: settings),
        .executableTarget(
            name: "DeflateFuzzer", dependencies: ["AgoraToken", "CZlib"], path: "Tests/Fuzz/Deflate",
            swiftSettings: settings),
        .executableTarget(
            name: "DecodeFuzzer", dependencies: ["TokenMessages"], path: "Tests/Fuzz/Decode", swiftSettings: settings),
        .executableTarget(
            name: "Instructions", dependencies: ["AgoraToken"], path: "Tests/Instructions",
            exclude: ["thresholds.tsv"], swiftSettings: settings),
        .testTarget(
            name: "AgoraTokenTests", dependencies: ["AgoraToken", "CZlib"],
            resources: [.copy("Vectors")], swiftSettings: settings),
        .testTarget(name: "PlatformTests", dependencies: ["Platform"], swiftSettings: settings),
        // What connections cost is measured in this process, which has nothing else in it.
        .executableTarget(name: "AMQPSoak", dependencies: ["AMQP"], path: "Tests/Soak", swiftSettings: settings),
        // A broker that breaks the protocol, and the client in a process of its own, for sanitizers to watch.
        .target(name: "FakeBroker", path: "Tests/FakeBroker", swiftSettings: settings),
        .executableTarget(
            name: "Hostility", dependencies: ["AMQP", "FakeBroker"], path: "Tests/Hostility",
            swiftSettings: settings),
        .testTarget(
            name: "AMQPTests", dependencies: ["AMQP", "AMQPSoak", "CLinux", "FakeBroker", "Platform", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "TokenMessagesTests", dependencies: ["TokenMessages", "AgoraToken"], swiftSettings: settings),
        .testTarget(
            name: "LeaseStoreTests", dependencies: ["LeaseStore", "Platform", "TokenMessages"],
            swiftSettings: settings),
        .testTarget(
            name: "TokenWorkerTests",
            dependencies: ["TokenWorker", "FakeBroker", "LeaseStore", "Platform", "StoreFaults", "TokenMessages"],
            swiftSettings: settings),
        .testTarget(
            name: "TokenClientTests", dependencies: ["AMQP", "TokenClient", "TokenMessages"], swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests", dependencies: ["agora-token", "TokenWorker", "TokenMessages"],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["TestSupport", "TokenClient", "TokenMessages", "LeaseStore", "AMQP", "AgoraToken"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
