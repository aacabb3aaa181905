import HearthModelSource
import Testing

@testable import HearthDelivery

@Suite("The board of states")
struct StateBoardTests {
    private let model = CustomModel(name: "digits", size: 1, path: "/new", hash: "b")

    @Test("a look at the store that an installation overtook is of no interest")
    func overtaken() {
        let board = StateBoard()
        let job = TransferJob(id: 1, name: "digits", conditions: TransferConditions(ModelDownloadConditions()))
        defer { job.markEnded() }
        board.record(.started, of: job)
        let generation = board.generation(of: "digits")
        board.record(.ended(.success(model)), of: job)
        board.found(.success(.missing), of: "digits", generation: generation)
        #expect(board.state(of: "digits") == .ready(model))
        board.found(.success(.missing), of: "digits", generation: board.generation(of: "digits"))
        #expect(board.state(of: "digits") == .absent)
    }

    @Test("a transfer that was cancelled before its thread began shows nowhere")
    func cancelledBefore() {
        let board = StateBoard()
        let job = TransferJob(id: 1, name: "digits", conditions: TransferConditions(ModelDownloadConditions()))
        defer { job.markEnded() }
        job.cancel()
        board.record(.started, of: job)
        #expect(board.state(of: "digits") == .absent)
    }
}
