import Foundation
import HearthArguments
import HearthDelivery

/// What MODEL on the command line means: something on this disk, else the name of a hosted model.
struct ModelLookup {
    let device: DeviceOptions

    /// The path of the model on this disk; a hosted model is fetched first. Without a connection, the installed copy
    /// is used, and a note says so.
    func path(_ model: String) throws -> String {
        if FileManager.default.fileExists(atPath: model) { return model }
        let looksLikeFile = model.contains("/") || model.contains(".")
        guard !looksLikeFile else { throw CommandFailure("There is no file or folder \(model).") }
        let client: DeviceClient
        do {
            client = try device.client()
        } catch {
            throw CommandFailure("There is no file or folder \(model), and no server to ask: \(error)")
        }
        do throws(FetchFailure) {
            return try client.fetch(model, progress: ProgressBar(label: "Fetching \(model)")).path
        } catch {
            guard error.isConnectionFailure, let installed = try? client.installed(model) else { throw error }
            Output.note("note: using the copy on this device: \(error)")
            return installed.path
        }
    }
}
