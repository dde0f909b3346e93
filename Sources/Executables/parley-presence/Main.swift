import PresenceService
import ServiceKit

@main
struct Main {
    static func main() async { await ParleyProcess.run(PresenceService.self) }
}
