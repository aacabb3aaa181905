import Foundation
import Hearth
import HearthCampaignInput

/// An app on a device, for `scripts/soak bad-version`: asks for the newest version of a model, runs it, and reports how
/// that went, again and again until it is killed. `HEARTH_APP_CONFIG` and `HEARTH_STORE` say which app and device it is.
///
/// usage: FleetDevice MODEL SEED RUNS UNUSUAL_SHARE SECONDS
///
/// Each round has RUNS runs, and begins about SECONDS after the one before. Standard output gets a line `has HASH` when a
/// round knows the version, and `ran HASH` when its runs are reported.
@main enum FleetDeviceProgram {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 5, let name = words.first, let seed = UInt64(words[2]), let runs = Int(words[3]),
            let unusualShare = Double(words[4]), let seconds = Double(words[5])
        else { fatalError("usage: FleetDevice MODEL SEED RUNS UNUSUAL_SHARE SECONDS") }
        FirebaseApp.configure()
        Analytics.setModelReportingEnabled(true)
        var random = SplitMix(seed: seed)
        var model: BroadcastModel?
        while true {
            do {
                let hash = try await installedHash(name)
                if model?.hash != hash { model = try BroadcastModel(name: name, hash: hash) }
                say("has \(hash)")
                for _ in 0..<runs { try await model?.run(&random, unusualShare: unusualShare) }
                try await Analytics.sendPendingEvents()
                say("ran \(hash)")
            } catch {
                say("failed \(error)".replacingOccurrences(of: "\n", with: " "))
            }
            try await Task.sleep(for: .seconds(seconds * (0.9 + 0.2 * random.uniform())))
        }
    }

    /// Of the version that is on this device after it asked for the newest one.
    private static func installedHash(_ name: String) async throws -> String {
        try await ModelDownloader.modelDownloader().getModel(name: name, downloadType: .latestModel).hash
    }

    /// Prints a line at once, because a crash of the engine may end the program.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
