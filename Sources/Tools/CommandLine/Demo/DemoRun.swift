import Foundation
import Glibc
import HearthArguments
import HearthDelivery
import HearthLocalCommands
import HearthModelSource
import HearthWire

/// The story that the demo tells, step by step. Any step that goes wrong throws.
struct DemoRun {
    private static let modelName = "digits"

    let server: DemoServer
    let examples: DemoExamples
    let storeFolder: String
    let firstModel: String
    let secondModel: String
    let interruption: DemoInterruption

    func run() throws {
        Output.line("A Hearth server runs at \(server.url)\n")
        let admin = try AdminOptions.client(credentials: server.adminCredentials)
        // The device's store and server are the demo's own, not the user's.
        setenv("HEARTH_STORE", storeFolder, 1)
        unsetenv("HEARTH_SERVER_URL")
        let device = try DeviceClient(config: server.deviceCredentials)

        try publish(firstModel, admin)
        let first = try timed("Device fetched and verified version 1") { try device.fetch(Self.modelName) }
        try label(with: first.path)

        let again = try timed("Device asked again: nothing new") { try device.fetch(Self.modelName) }
        guard again == first else { throw CommandFailure("The device fetched the same version twice.") }

        try publish(secondModel, admin)
        let second = try timed("Device fetched and verified version 2") { try device.fetch(Self.modelName) }
        guard second.hash != first.hash else { throw CommandFailure("The device did not get the second version.") }
        try label(with: second.path)
    }

    private func publish(_ bundle: String, _ admin: AdminClient) throws {
        let version = try timed("Pushed and published \(bundle)") {
            let payload = try PushPayload(bundle)
            let upload = try admin.upload(payload.path, name: payload.name) { _, _ in }
            if let error = upload.validationError { throw CommandFailure(error.message) }
            return try ModelPush(client: admin).push(Self.modelName, upload: upload, publish: true).model
        }
        guard version.hearth?.releasedVersion == version.hearth?.version, version.state?.published == true else {
            throw CommandFailure("The model was not published.")
        }
    }

    private func label(with path: String) throws {
        let labeler = try PictureLabeler(model: LocalModel(path: path), name: Self.modelName)
        var table = TextTable(["PICTURE", "LABEL", .number("CONFIDENCE"), .number("TIME"), ""])
        var wrong = 0
        for example in examples.examples {
            try interruption.check()
            let start = ContinuousClock.now
            let labels = try labeler.answer(example.path).labels
            let time = ContinuousClock.now - start
            let best = labels.first
            let isRight = best?.text == example.digit
            if !isRight { wrong += 1 }
            table.append([
                URL(fileURLWithPath: example.path).lastPathComponent, best?.text ?? "-",
                String(format: "%.1f %%", Double(best?.confidence ?? 0) * 100),
                String(format: "%.2f ms", time.milliseconds), isRight ? "right" : "wrong: it is \(example.digit)",
            ])
        }
        Output.line("\n\(table)\n")
        guard wrong == 0 else {
            throw CommandFailure("\(wrong) of \(examples.examples.count) pictures got a wrong label.")
        }
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
