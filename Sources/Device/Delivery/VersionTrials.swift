import Dispatch
import HearthApp
import HearthConcurrency
import HearthCrashGuard
import HearthCrypto
import HearthEvents
import HearthFiles
import HearthModelSource

/// Judges the versions on this device by how earlier processes ended, and rejects those that end the process. Works
/// without any report to the server. Use it from any thread.
final class VersionTrials: Sendable {
    private let app: FirebaseApp
    private let states: ModelStateStore
    private let crashGuard: CrashGuard
    private let isJudged = Lock(false)

    init(_ app: FirebaseApp, states: ModelStateStore) {
        self.app = app
        self.states = states
        crashGuard = CrashGuard(storeFolder: app.folder, files: app.environment.files)
    }

    /// The guard of a version in this process; nil when the disk does not work.
    func version(_ hash: String) -> GuardedVersion? {
        SHA256Digest(hex: hash).flatMap(crashGuard.version)
    }

    /// Looks once in a process at what earlier ones left. Other threads wait until that is done. Blocks.
    func judgeOnce(_ store: DeviceStore) {
        isJudged.withLock { isJudged in
            guard !isJudged else { return }
            isJudged = true
            guard let pointers = try? store.pointers.all() else { return }
            let known = Set(pointers.flatMap { [$0.current?.hash, $0.previous?.hash].compactMap { $0 } })
            let findings = crashGuard.findings(known: known)
            guard !findings.isEmpty else { return }
            for finding in findings { apply(finding, pointers, store) }
            // At once, because the process may end in the same way before the next report is due.
            ModelReports.reports(of: app).flush()
        }
    }

    private func apply(_ finding: CrashGuard.Finding, _ pointers: [ModelPointer], _ store: DeviceStore) {
        let reports = ModelReports.reports(of: app)
        for pointer in pointers {
            let isCurrent = pointer.current?.hash == finding.hash
            guard isCurrent || pointer.previous?.hash == finding.hash else { continue }
            for (code, count) in finding.crashes {
                reports.count(.crashed(code: code, count: count), pointer.name, hash: finding.hash)
            }
            guard let rejection = finding.rejection, let digest = SHA256Digest(hex: finding.hash) else { continue }
            // When the store fails, the version stays; its next crashes count again.
            do throws(FileError) {
                let previous = try store.reject(digest, of: pointer.name, reason: rejection.reason)
                if isCurrent { announce(pointer.name, finding.hash, reason: rejection.reason, previous: previous) }
            } catch {
                continue
            }
        }
    }

    /// Tells the app and the server that the installed version is rejected.
    ///
    /// - Parameter previous: The model that is installed now.
    @discardableResult
    func announce(_ name: String, _ hash: String, reason: String, previous: CustomModel?) -> DownloadFailure {
        let failure = DownloadFailure.unusable(name, reason: reason, hasPrevious: previous != nil)
        states.recordRejection(of: name, failure, previous: previous)
        let reports = ModelReports.reports(of: app)
        reports.recordLoadFailure(name)
        reports.count(.rejected, name, hash: hash)
        let event = ModelDownloadNotification(CustomRemoteModel(name: name))
        app.serialCallbackQueue.async { event.post(.failure(failure)) }
        return failure
    }
}
