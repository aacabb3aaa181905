import HearthModelSource
import Synchronization

/// The test process's locator: knows the models that tests tell it. Tests choose names of their own.
final class TestLocator: ModelLocator {
    static let shared = {
        let locator = TestLocator()
        ModelLocatorRegistry.register(locator)
        return locator
    }()

    private let paths = Mutex<[String: String]>([:])
    private let asked = Mutex<[String: Int]>([:])
    private let reasons = Mutex<[String: [String]]>([:])

    func install(_ name: String, _ path: String?) {
        paths.withLock { $0[name] = path }
    }

    func timesAsked(for name: String) -> Int { asked.withLock { $0[name, default: 0] } }

    /// Why copies were put aside.
    func reasonsAside(of name: String) -> [String] { reasons.withLock { $0[name, default: []] } }

    func putAside(path: String, ofRemoteModel name: String, reason: String) {
        reasons.withLock { $0[name, default: []].append(reason) }
    }

    func absence(ofRemoteModel name: String) -> ModelAbsence {
        name == "resting" ? .resting(reason: "The server has no time.") : .beingFetched
    }

    func localPath(ofRemoteModel name: String) -> String? {
        asked.withLock { $0[name, default: 0] += 1 }
        return paths.withLock { $0[name] }
    }
}
