import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// A question of a device for a model, and what it gets.
struct ModelQuestion {
    let call: DeviceCall
    let device: AskingDevice
    /// The model's display name.
    let model: String
    let modelID: Int64
    /// Of the model, newest first.
    let releases: [TargetedRelease]
    let choice: DownloadChoice
    let headers: HTTPHeaders

    var projectID: String { call.part.project.id }
}

/// Learns what devices ask, and forgets devices that were deleted. Called on the HTTP server's threads, so it waits for nothing.
protocol DeviceObserver: Sendable {
    func observe(_ question: ModelQuestion)

    /// Inside of the transaction that deletes the installation.
    func forget(_ installation: String, project: String, _ store: any MetadataWriter) throws
}

extension RecentCalls: DeviceObserver {
    func observe(_ question: ModelQuestion) {
        record(
            question.choice, for: question.device, project: question.projectID, model: question.model,
            nowMicroseconds: question.call.now.microseconds)
    }
}
