import HearthModelFile
import HearthTestSupport
import Testing

/// The options of operators with state come out of the file as the exporter put them in.
@Suite struct RecurrentOptionsTests {
    private func options(_ name: String) throws -> RecurrentOptions? {
        try ReferenceRun.model(name).graph.subgraphs[0].operators[0].recurrentOptions
    }

    @Test func readsEachKindOfTable() throws {
        var everything = RecurrentOptions()
        everything.activation = 4
        everything.cellClip = 1.5
        everything.projectionClip = 0.5
        everything.isTimeMajor = true
        #expect(try options("sequence_lstm_everything") == everything)

        var tanh = RecurrentOptions()
        tanh.activation = 4
        #expect(try options("lstm_step") == tanh)
        #expect(try options("rnn_step") == tanh)

        var timeMajor = tanh
        timeMajor.isTimeMajor = true
        #expect(try options("sequence_rnn_time_major") == timeMajor)

        var filters = RecurrentOptions()
        filters.rank = 2
        filters.activation = 1
        #expect(try options("svdf_relu") == filters)
    }
}
