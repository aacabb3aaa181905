import HearthLocalCommands
import HearthWire

/// A file with an experiment's definition.
struct ExperimentFile {
    let definition: ExperimentBodies.Definition
    let bytes: [UInt8]

    init(_ path: String) throws(CommandFailure) {
        let file = try JSONFile<ExperimentBodies.Definition>(path, what: "an experiment")
        definition = file.value
        bytes = file.bytes
    }
}

/// Sends a definition; where its audience cannot be read, the character is shown on standard error.
struct DefinitionSending {
    let audience: String?

    func send(_ call: () throws -> ExperimentBodies.Experiment) throws -> ExperimentBodies.Experiment {
        do {
            return try call()
        } catch let refusal as AdminRefusal {
            if refusal.status == 400, let audience, let mark = ConditionMark.text(audience) { Output.note(mark) }
            throw refusal
        }
    }
}
