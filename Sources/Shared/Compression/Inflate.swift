/// Decompression through zlib.
public enum Inflate {}
