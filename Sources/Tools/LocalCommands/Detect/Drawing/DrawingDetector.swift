/// Finds objects in pictures and draws them.
struct DrawingDetector: PictureReader {
    let detector: PictureDetector
    let pencil: ObjectPencil

    func answer(_ path: String) throws -> PictureObjects {
        let file = try pencil.file(for: path)
        let found = try detector.answer(path)
        try pencil.draw(found.objects, on: path, into: file)
        return found
    }
}
