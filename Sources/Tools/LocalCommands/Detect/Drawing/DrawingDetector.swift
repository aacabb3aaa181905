/// Finds objects in pictures and draws them.
struct DrawingDetector: PictureReader {
    let detector: PictureDetector
    let pencil: ObjectPencil

    func answer(_ path: String) throws -> PictureObjects {
        let found = try detector.answer(path)
        try pencil.draw(found.objects, on: path)
        return found
    }
}
