import Foundation
import Glibc
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// A shell script in the place of the `hearth` program, for what a probe that was taken over might do.
struct StandIn {
    private let folder: TemporaryFolder
    private let script: String
    private let model: String

    init(_ commands: String) throws {
        folder = try TemporaryFolder()
        script = try folder.write(Array("#!/bin/sh\n\(commands)\n".utf8), to: "probe")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        model = try folder.write(Array("the model".utf8), to: "model.tflite")
    }

    /// What the validator makes of it.
    func report(_ limits: ProbeLimits = ProbeLimits()) throws -> ProbeReport {
        let descriptor = open(model, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        return try ModelValidator(executable: script, limits: limits).report(descriptor: descriptor)
    }

    /// A script that prints `report`.
    static func printing(_ report: ProbeReport) throws -> StandIn {
        let json = String(decoding: try WireJSON.encode(report), as: UTF8.self)
        return try StandIn("cat <<'END'\n\(json)\nEND")
    }
}
