import Foundation
import HearthDelivery
import HearthLocalCommands
import HearthWire

/// What every part of the demo does: publish on its server, fetch as its device, and tell how long that took.
struct DemoSteps {
    let admin: AdminClient
    let device: DeviceClient
    let interruption: DemoInterruption

    func publish(_ bundle: String, as name: String) throws {
        let version = try timed("Pushed and published \(bundle)") {
            let payload = try PushPayload(bundle)
            let upload = try FileUploader(client: admin).upload(payload.path, name: payload.name)
            if let error = upload.validationError { throw CommandFailure(error.message) }
            return try ModelPush(client: admin).push(name, upload: upload, to: .all).model
        }
        guard version.hearth?.releasedVersion == version.hearth?.version, version.state?.published == true else {
            throw CommandFailure("The model was not published.")
        }
    }

    func fetch(_ name: String, _ text: String) throws -> CustomModel {
        try timed(text) { try device.fetch(name) }
    }

    private func timed<Result>(_ text: String, _ body: () throws -> Result) throws -> Result {
        try interruption.check()
        let start = ContinuousClock.now
        let result = try body()
        let time = String(format: "%.0f ms", (ContinuousClock.now - start).milliseconds)
        Output.line("\(text.padding(toLength: 60, withPad: " ", startingAt: 0)) \(time)")
        return result
    }
}
