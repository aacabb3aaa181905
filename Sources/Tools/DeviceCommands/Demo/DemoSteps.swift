import Foundation
import Glibc
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthDelivery
import HearthLocalCommands
import HearthManagementCommands
import HearthWire

/// The common steps: publish on the server, download as the device, and print the time.
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

    func download(_ name: String, _ text: String) throws -> CustomModel {
        try timed(text) { try device.download(name) }
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
