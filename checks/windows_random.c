/* bcryptprimitives.dll for Wine 8, which lacks it: Rust's library takes its random numbers from there. */
#include <windows.h>

/* RtlGenRandom, as advapi32 exports it. */
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    const ULONG most = 1 << 20;
    while (count > 0) {
        ULONG part = count < most ? (ULONG)count : most;
        if (!SystemFunction036(bytes, part))
            return FALSE;
        bytes += part;
        count -= part;
    }
    return TRUE;
}
