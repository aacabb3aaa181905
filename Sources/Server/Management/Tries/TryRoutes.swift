import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthValidation
import HearthWire
import HearthWork

/// Runs a version on one image of the caller, in the sandbox. Viewers may: the image is their own, and nothing is
/// stored.
struct TryRoutes {
    private let context: RouteContext

    private let queue: TryQueue

    init(_ context: RouteContext, _ queue: TryQueue) {
        self.context = context
        self.queue = queue
    }

    var routes: [CallRoute] {
        [
            CallRoute(VersionCalls.run) { head, path in
                do {
                    return .streaming(try receiver(head, path))
                } catch {
                    return .answer(context.failure(head, error))
                }
            }
        ]
    }

    /// All that can be refused without the image is refused here, before any of it is read.
    private func receiver(_ head: RequestHead, _ path: RouteParameters) throws -> TryReceiver {
        let call = try context.adminCall(head, project: path["project"], atLeast: .viewer)
        let target = try ModelPath(call, path)
        var options = ImageRunOptions(threshold: try Self.threshold(head.query.first("threshold")))
        options.processing = try TryProcessing.read(head.query.first("processing"))
        options.showsDetails = true
        let version = try context.briefly { store in
            try ModelPath.version(named: path["version"], of: target.model(store), store).runnable().version
        }
        guard head.contentLength != 0 else { throw TryReceiver.noImage }
        guard let place = queue.place(of: call.project.id) else {
            var error = APIError(
                .resourceExhausted, "Too many tries wait or run; try again in a moment.")
            error.retryAfterSeconds = queue.limits.retryAfterSeconds
            throw error
        }
        return TryReceiver(context, queue, head, version, options, place)
    }

    /// The least confidence of an answer.
    private static func threshold(_ text: String?) throws(APIError) -> Double? {
        guard let text else { return nil }
        guard let threshold = Double(text), (0...1).contains(threshold) else {
            let text = "The threshold is a number from 0 to 1."
            throw .invalid("threshold", text, message: text)
        }
        return threshold
    }
}

/// Collects the image of a try, which has its place already, and then waits for the answers without a thread.
final class TryReceiver: BodyReceiver {
    let limitBytes: UInt64?
    private let context: RouteContext
    private let queue: TryQueue
    private let head: RequestHead
    private let version: ModelVersion
    private let options: ImageRunOptions
    /// Nil when a worker has it, or the image will not arrive.
    private var place: QueuePlace?
    private var image: [UInt8] = []
    private let deadlineMicroseconds: Int64

    init(
        _ context: RouteContext, _ queue: TryQueue, _ head: RequestHead, _ version: ModelVersion,
        _ options: ImageRunOptions, _ place: QueuePlace
    ) {
        let limits = queue.limits
        limitBytes = UInt64(limits.imageBytes)
        deadlineMicroseconds = context.monotonicMicroseconds + limits.arrivalSeconds * 1_000_000
        self.context = context
        self.queue = queue
        self.head = head
        self.version = version
        self.options = options
        self.place = place
    }

    static var noImage: APIError {
        let text = "The request has no image; its body must be the bytes of an image file."
        return APIError.invalid("body", text, message: text)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        guard context.monotonicMicroseconds < deadlineMicroseconds else {
            let seconds = queue.limits.arrivalSeconds
            throw RequestRefusal(
                context.failure(
                    head,
                    APIError(
                        .invalidArgument, "The image took longer than \(seconds) seconds to arrive.", httpStatus: 408)))
        }
        image.append(contentsOf: bytes)
    }

    func finish() -> Outcome {
        guard let place = place.take(), !image.isEmpty else {
            return .respond(context.failure(head, Self.noImage))
        }
        let (context, queue, head, version) = (context, queue, head, version)
        let (options, image) = (options, image)
        self.image = []
        return .deferred { reply in
            queue.run(version, on: image, options, in: place) { result in
                reply.resolve(
                    with: context.respond(head) { try context.json(Self.body(result, version: version.number)) })
            }
        }
    }

    func abandon() {
        place = nil
        image = []
    }

    private static func body(
        _ result: Result<TryQueue.Answer, ProbeFailure>, version: Int
    ) throws -> TryBodies.Answers {
        let answer: TryQueue.Answer
        do throws(ProbeFailure) {
            answer = try result.get()
        } catch {
            switch error.reason {
            // The log gets the cause.
            case .machine: throw error
            case .model:
                throw APIError(.failedPrecondition, "Version \(version) cannot run on images: \(error.message)")
            case .stop: throw APIError(.unavailable, error.message)
            }
        }
        let report = answer.report
        if let failure = report.failure {
            guard report.isUnreadable != true else {
                let text = "The image cannot be read: \(failure)"
                throw APIError.invalid("body", text, message: text)
            }
            throw APIError(.failedPrecondition, "Version \(version) gave no answer to the image: \(failure)")
        }
        var answers = TryBodies.Answers(
            version: version, width: report.width ?? 0, height: report.height ?? 0,
            answers: (report.answers ?? []).map(Self.answer), runMicroseconds: report.microseconds ?? 0,
            peakMemoryBytes: report.peakMemoryBytes ?? 0)
        answers.outputs = report.outputs?.map { .init(name: $0.name, answers: $0.answers.map(Self.answer)) }
        answers.vision = answer.vision
        return answers
    }

    private static func answer(_ answer: ImageProbeReport.Answer) -> TryBodies.Answer {
        TryBodies.Answer(label: answer.text, index: answer.index, confidence: answer.confidence, box: answer.box)
    }
}
