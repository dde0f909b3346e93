import EntitiesService
import ServiceKit

@main
struct Main {
    static func main() async { await ParleyProcess.run(EntitiesService.self) }
}
