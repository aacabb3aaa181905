extension OperatorTable {
    /// Operators that take or put elements by index or key.
    static let lookups = """
        GATHER                     T/1- i16,i32,i64           > T       ; T: plain,str
        GATHER_ND                  T/1- i16,i32,i64/1-        > T       ; T: plain,str
        SCATTER_ND                 i32/1- T i32/1             > T       ; T: plain
        SPARSE_TO_DENSE            i32,i64 i32,i64 T T#1      > T       ; T: f32,i8,u8,i32,i64
        EMBEDDING_LOOKUP           i32/1 T/2-                 > T       ; T: plain
        EMBEDDING_LOOKUP           i32/1 i8,u8,i4,i2/2-&      > f32,f16
        EMBEDDING_LOOKUP_SPARSE    i32/1 i32/2 i32/1 f32/1 f32/2- > f32
        HASHTABLE_LOOKUP           i32/1 i32/1 T/1-           > T u8    ; T: plain,str
        LSH_PROJECTION             f32/2 any ?f32/1           > i32
        SKIP_GRAM                  str#1                      > str
        DENSIFY                    T                          > T       ; T: f32,f16,i8
        HASHTABLE                                             > res
        HASHTABLE_FIND             res T U                    > U       ; T: i32,i64,str ; U: f32,i32,i64,str
        HASHTABLE_IMPORT           res T U                    >         ; T: i32,i64,str ; U: f32,i32,i64,str
        HASHTABLE_SIZE             res                        > i64
        """
}
