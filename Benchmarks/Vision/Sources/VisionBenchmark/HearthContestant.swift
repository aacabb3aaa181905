import BenchmarkParts
import Foundation
import HearthVision

/// Hearth, called as its documentation says: a file's path in, a new picture each time, labels or boxes out.
final class HearthContestant: Contestant {
    private enum Subject {
        case labeler(ImageLabeler)
        case detector(BoxDetector)
    }

    private let subject: Subject
    private let picture: String

    init(_ job: Job) throws {
        let model = LocalModel(path: job.model)
        picture = job.picture
        switch job.task {
        case .labels:
            let options = CustomImageLabelerOptions(localModel: model)
            options.maxResultCount = 3
            options.threadCount = job.threads
            subject = .labeler(ImageLabeler.imageLabeler(options: options))
        case .boxes:
            var options = BoxDetectorOptions()
            options.threadCount = job.threads
            options.scoreThreshold = job.threshold
            subject = .detector(try BoxDetector(model: model, options: options))
        }
    }

    func `do`(_ work: String, _ count: Int) throws {
        guard work == "file" else { throw BenchmarkError("there is no work '\(work)'") }
        for _ in 0..<count {
            switch subject {
            case .labeler(let labeler): _ = try labeler.results(in: VisionImage(contentsOfFile: picture))
            case .detector(let detector): _ = try detector.boxes(in: VisionImage(contentsOfFile: picture))
            }
        }
    }

    func output() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(found()), as: UTF8.self)
    }

    private func found() throws -> [Found] {
        let image = VisionImage(contentsOfFile: picture)
        switch subject {
        case .labeler(let labeler):
            return try labeler.results(in: image).map {
                Found(index: $0.index, text: $0.text, score: $0.confidence)
            }
        case .detector(let detector):
            return try detector.boxes(in: image).map {
                let frame = $0.frame
                return Found(
                    index: $0.index, text: $0.text, score: $0.confidence,
                    box: [frame.minX, frame.minY, frame.maxX, frame.maxY])
            }
        }
    }
}
