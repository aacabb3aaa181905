/// Pieces in the order they were written; what is read never reaches over the end of one.
struct PieceQueue {
    /// Bytes that wait.
    private(set) var bytes = 0
    private var pieces: [[UInt8]] = []
    /// Of the first piece that is not read whole.
    private var index = 0
    private var offset = 0

    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        bytes += piece.count
    }

    /// The rest of the first piece, as much of it as fits; 0 where there is none.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard index < pieces.count else { return 0 }
        let rest = pieces[index][offset...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        bytes -= rest.count
        offset += rest.count
        if offset == pieces[index].count { advance() }
        return rest.count
    }

    private mutating func advance() {
        pieces[index] = []
        index += 1
        offset = 0
        // Seldom, so that many small pieces are not moved again and again.
        if index * 2 > pieces.count {
            pieces.removeFirst(index)
            index = 0
        }
    }
}
