package import HearthCalls
import HearthDevicePlane
import HearthHTTP
package import HearthRouting
package import HearthStorage
package import HearthValidation
import HearthWire
package import HearthWork

/// What only the calls of people and their tools need.
package struct ManagementServices: Sendable {
    /// Validates uploads.
    package var validation: ValidationQueue
    package var rehearsals: RehearsalQueue
    /// Runs versions on images of callers.
    package var tries: TryQueue
    /// Packs uploaded zips.
    package var packing: PackQueue
    /// What the program that runs the service knows of its state. It may read disks, so it runs on no HTTP thread.
    package var serverStatus: @Sendable () -> ServerBodies.Status

    /// - Parameter program: the one that runs and packs model files; nil to refuse that.
    package init(
        _ services: Services, _ metadata: any MetadataStore, validation: ValidationQueue, program: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.validation = validation
        rehearsals = RehearsalQueue(
            metadata: metadata, blobs: services.blobs, executable: program,
            scheduler: ThreadScheduler(label: "app.hearth.rehearsals"), now: services.now, log: log)
        tries = TryQueue(
            blobs: services.blobs, executable: program,
            scheduler: ThreadScheduler(label: "app.hearth.tries", yieldsToOthers: true))
        packing = PackQueue(
            blobs: services.blobs, executable: program, scheduler: ThreadScheduler(label: "app.hearth.packing"))
        let start = WireTime.text(services.now().microseconds)
        serverStatus = { ServerBodies.Status(version: HearthVersion.text, startTime: start, console: false) }
    }

    /// The validation comes first: when it stops, the calls that wait for it are answered.
    package var parts: [ServerPart] {
        [
            ServerPart(
                "validation", start: { [validation] in try validation.start() },
                stop: { [validation] in validation.stop($0) }),
            ServerPart("rehearsals", stop: { [rehearsals] in rehearsals.stop($0) }),
            ServerPart("tries", stop: { [tries] in tries.stop($0) }),
            ServerPart("packing", stop: { [packing] in packing.stop($0) }),
        ]
    }
}
