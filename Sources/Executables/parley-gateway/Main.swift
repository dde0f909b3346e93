import GatewayService

@main
struct Main {
    static func main() async { await GatewayProcess.run() }
}
