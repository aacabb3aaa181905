import Foundation
import HearthCampaignInput
import HearthModelInterpreter

/// Runs the model of the campaign, which takes two shapes of three dimensions and gives the shape to which both can be
/// broadcast.
struct BroadcastModel {
    struct WrongAnswer: Error {}

    let hash: String
    private let interpreter: ModelInterpreter
    private let options: ModelInputOutputOptions

    init(name: String, hash: String) throws {
        self.hash = hash
        interpreter = ModelInterpreter.modelInterpreter(remoteModel: CustomRemoteModel(name: name))
        options = ModelInputOutputOptions()
        try options.setInputFormat(index: 0, type: .int32, dimensions: [3])
        try options.setInputFormat(index: 1, type: .int32, dimensions: [3])
        try options.setOutputFormat(index: 0, type: .int32, dimensions: [3])
    }

    /// - Parameter unusualShare: how many of the pairs of shapes cannot be broadcast, 0 to 1.
    func run(_ random: inout SplitMix, unusualShare: Double) async throws {
        let first = (0..<3).map { _ in Int32(2 + random.next() % 7) }
        var second = first.map { random.uniform() < 0.5 ? $0 : 1 }
        let isUnusual = random.uniform() < unusualShare
        if isUnusual { second[Int(random.next() % 3)] = 9 }
        let inputs = ModelInputs()
        try inputs.addInput(first)
        try inputs.addInput(second)
        let answer = try await interpreter.run(inputs: inputs, options: options).output(index: 0) as? [Int]
        guard answer == zip(first, second).map({ Int(max($0, $1)) }) else { throw WrongAnswer() }
    }
}
