extension OperatorTable {
    /// Operators that move elements, and tell or make shapes.
    static let shapes = """
        RESHAPE                    T _i32,i64#0-8             > T   ; T: any
        SQUEEZE                    T                          > T   ; T: any
        EXPAND_DIMS                T i32,i64#1                > T   ; T: any
        TRANSPOSE                  T/1-8 i32,i64/1#1-8        > T   ; T: plain
        PAD,MIRROR_PAD             T i32,i64,i8,i16/2         > T   ; T: plain
        PADV2                      T i32,i64,i8,i16/2 T#1     > T   ; T: plain
        TILE                       T i32,i64/1#0-8             > T   ; T: plain,str
        BROADCAST_TO               T/0-8 i32,i64/1#0-8        > T   ; T: plain
        BROADCAST_ARGS             T/1 T/1                    > T   ; T: i32,i64
        CONCATENATION              +T                         > T   ; T: plain
        PACK                       +T                         > T   ; T: plain
        UNPACK                     T/1-                       > +T  ; T: plain
        SPLIT                      i32#1 T/1-                 > +T  ; T: plain
        SPLIT_V                    T/1- i32,i64#1- i32,i64#1  > +T  ; T: plain
        SLICE                      T i32,i64#1-8 i32,i64#1-8  > T   ; T: plain,str
        STRIDED_SLICE              T i32/1#0-8 i32/1#0-8 i32/1#0-8 > T ; T: plain,str
        DYNAMIC_UPDATE_SLICE       T T i32,i64/1#0-8          > T   ; T: plain
        REVERSE_V2                 T/1- i32/1#1-              > T   ; T: plain
        REVERSE_SEQUENCE           T/1- i32,i64/1 > T | 87 0=0-7 1=0-7 ; T: plain
        SHAPE                      any                        > i32,i64
        RANK                       any                        > i32
        FILL                       i32,i64/1#0-8 T#1              > T   ; T: plain,str
        RANGE                      T#1 T#1 T#1                > T   ; T: i32,i64,f32
        ONE_HOT                    i32,i64 i32#1 T#1 T#1      > T   ; T: f32,f16,i8,u8,i16,i32,i64,bool
        MATRIX_DIAG                T/1-                       > T   ; T: plain
        MATRIX_SET_DIAG            T/2- T/1-                  > T   ; T: plain
        """
}
