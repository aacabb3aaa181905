/// Finds objects in images and draws them.
struct DrawingDetector: ImageAnalyzer {
    let detector: FileDetector
    let drawer: DetectionDrawer

    var notices: [String] { detector.notices }

    func answer(_ path: String) throws -> DetectionResult {
        let file = try drawer.file(for: path)
        let found = try detector.answer(path)
        try drawer.draw(found, on: path, into: file)
        return found
    }
}
