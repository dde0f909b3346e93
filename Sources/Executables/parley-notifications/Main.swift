import NotificationsService
import ServiceKit

@main
struct Main {
    static func main() async { await ParleyProcess.run(NotificationsService.self) }
}
