import Synchronization
import Testing

@testable import HearthApp

@Suite("The objects of which an app has one each")
struct AppServicesTests {
    private final class Service: Sendable {
        let closeCount = Atomic(0)
        var count: Int { closeCount.load(ordering: .relaxed) }
    }

    private func service(_ services: AppServices) -> Service {
        services.service(Service.self, make: Service.init) { $0.closeCount.add(1, ordering: .relaxed) }
    }

    @Test("One object for all callers, closed once with the app")
    func lifetime() {
        let services = AppServices()
        let one = service(services)
        #expect(service(services) === one)
        #expect(one.count == 0)
        services.removeAll()
        services.removeAll()
        #expect(one.count == 1)
    }

    @Test("A later caller gets a closed object, which is not kept")
    func late() {
        let services = AppServices()
        services.removeAll()
        let late = service(services)
        #expect(late.count == 1)
        #expect(service(services) !== late)
    }

    @Test("Making and closing an object may request another one")
    func nested() {
        final class Outer: Sendable {
            let inner: Service
            init(_ inner: Service) { self.inner = inner }
        }
        let services = AppServices()
        let outer = services.service(Outer.self, make: { Outer(service(services)) }) { _ in _ = service(services) }
        #expect(outer.inner === service(services))
        services.removeAll()
        #expect(outer.inner.count == 1)
    }

    @Test("A caller during the deletion gets a closed object")
    func race() async {
        for _ in 0..<200 {
            let services = AppServices()
            async let asked = service(services)
            async let removed: Void = services.removeAll()
            let one = await asked
            await removed
            #expect(one.count == 1)
        }
    }
}
