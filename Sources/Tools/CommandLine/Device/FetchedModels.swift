import HearthArguments
import HearthDelivery
import HearthLocalCommands

/// Hosted models, fetched as a device would.
enum FetchedModels: HostedModels {
    /// When it cannot be fetched now, the installed copy is used, and a note says so.
    static func path(of model: String, config: String?) throws -> String {
        let client: DeviceClient
        do {
            client = try DeviceClient(chosenConfig: config)
        } catch {
            throw CommandFailure("There is no file or folder \(model), and no server to ask: \(error)")
        }
        do throws(FetchFailure) {
            return try client.fetch(model, progress: ProgressBar(label: "Fetching \(model)")).path
        } catch {
            guard error.isAccident, let installed = try? client.installed(model) else { throw error }
            Output.note("note: using the copy on this device: \(error)")
            return installed.path
        }
    }
}
