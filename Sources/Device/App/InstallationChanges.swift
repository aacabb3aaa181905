import Synchronization

/// How often an app's installation id became another one in this process. Use it from any thread.
final class InstallationChanges: Sendable {
    private let changes = Atomic(0)

    var count: Int { changes.load(ordering: .acquiring) }

    func note() { changes.add(1, ordering: .acquiringAndReleasing) }
}
