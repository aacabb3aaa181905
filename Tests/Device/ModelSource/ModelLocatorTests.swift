import Foundation
import HearthModelFile
import HearthModelSource
import Synchronization
import Testing

/// Copies of one model, the newest first; putting one aside uncovers the one before it.
private final class Copies: ModelLocator {
    let paths: Mutex<[String]>
    let reasons = Mutex<[String]>([])
    private let canPutAside: Bool

    init(_ paths: [String], canPutAside: Bool = true) {
        self.paths = Mutex(paths)
        self.canPutAside = canPutAside
    }

    func localPath(ofRemoteModel name: String) -> String? { paths.withLock { $0.first } }

    func reject(path: String, ofRemoteModel name: String, reason: String) {
        reasons.withLock { $0.append("\(path): \(reason)") }
        guard canPutAside else { return }
        paths.withLock { $0.removeAll { $0 == path } }
    }

    /// What loads when only the copies at `good` do, and what was tried.
    func load(good: Set<String>, cause: (any Error)? = ModelFileError(.notAModel, "broken")) -> (
        result: Result<String?, NSError>, tried: [String]
    ) {
        var tried: [String] = []
        let result = Result { () throws(NSError) in
            try loadNewest("any", isRefusal: { $0 is Refusal }) { path throws(NSError) in
                tried.append(path)
                guard !good.contains(path) else { return path }
                var info: [String: Any] = [NSLocalizedDescriptionKey: "\(path) is broken"]
                if let cause { info[NSUnderlyingErrorKey] = cause }
                throw NSError(domain: "test", code: 9, userInfo: info)
            }
        }
        return (result, tried)
    }
}

/// The engine does not take the model.
private struct Refusal: Error {}

@Suite("The newest copy that works")
struct RemoteModelLoadingTests {
    @Test("the newest is used when it works")
    func newest() throws {
        let copies = Copies(["/new", "/old"])
        #expect(try copies.load(good: ["/new", "/old"]).result.get() == "/new")
        #expect(copies.reasons.withLock { $0 } == [])
    }

    @Test("a copy that cannot be loaded is put aside with the reason, and the one before it is used")
    func previous() throws {
        let copies = Copies(["/new", "/old"])
        let (result, tried) = copies.load(good: ["/old"])
        #expect(try result.get() == "/old")
        #expect(tried == ["/new", "/old"])
        #expect(copies.reasons.withLock { $0 } == ["/new: /new is broken"])
    }

    @Test("when none can be loaded, the error is the newest copy's")
    func none() {
        let (result, tried) = Copies(["/new", "/old"]).load(good: [])
        #expect(throws: NSError.self) { try result.get() }
        if case .failure(let error) = result { #expect(error.localizedDescription == "/new is broken") }
        #expect(tried == ["/new", "/old"])
    }

    @Test("without a copy there is neither a model nor an error")
    func missing() throws {
        #expect(try Copies([]).load(good: []).result.get() == nil)
    }

    @Test("a locator that keeps giving the same copy is asked twice, and the copy is tried once")
    func sameAgain() {
        let (result, tried) = Copies(["/only"], canPutAside: false).load(good: [])
        #expect(throws: NSError.self) { try result.get() }
        #expect(tried == ["/only"])
    }

    @Test(
        "a copy that cannot be read is not put aside: it may be sound",
        arguments: [
            ModelFileError.Code.notFound, .unreadable, .tooLarge, .labelsMissing, .labelsMismatch,
        ])
    func unreadable(code: ModelFileError.Code) {
        let copies = Copies(["/new", "/old"])
        #expect(throws: NSError.self) { try copies.load(good: [], cause: ModelFileError(code, "")).result.get() }
        #expect(copies.reasons.withLock { $0 } == [])
    }

    @Test("a copy that the engine does not take is put aside")
    func refused() throws {
        let copies = Copies(["/new", "/old"])
        #expect(try copies.load(good: ["/old"], cause: Refusal()).result.get() == "/old")
        #expect(copies.reasons.withLock { $0.count } == 1)
    }

    @Test("a copy that is not to blame stays, and the error is told at once", arguments: [nil, CancellationError()])
    func notToBlame(cause: CancellationError?) {
        let copies = Copies(["/new", "/old"])
        let (result, tried) = copies.load(good: ["/old"], cause: cause)
        #expect(throws: NSError.self) { try result.get() }
        #expect(tried == ["/new"])
        #expect(copies.reasons.withLock { $0 } == [])
    }
}
