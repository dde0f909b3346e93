// swift-tools-version: 6.2
import PackageDescription

// Apps as anybody would write them: this package sees only the product `ParleyKit`. Elsewhere, name the repository's
// URL instead of the path.
// snippet
let kit: Target.Dependency = .product(name: "ParleyKit", package: "parley")
// end

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [.library(name: "Chat", targets: ["ChatModels", "ChatViews"])],
    // snippet
    dependencies: [.package(name: "parley", path: "..")],
    // end
    targets: [
        .executableTarget(name: "bot", dependencies: [kit]),
        .executableTarget(name: "talk", dependencies: ["ChatModels", kit]),
        .target(name: "ChatModels", dependencies: [kit]),
        .target(name: "ChatViews", dependencies: ["ChatModels", kit]),
        .testTarget(name: "ChatModelsTests", dependencies: ["ChatModels", kit]),
    ]
)
