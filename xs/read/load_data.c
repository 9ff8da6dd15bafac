#include "load_data.h"

SV *read_data_owner(pTHX_ const read_data *l)
{
    return sv_rvweaken(newRV_inc(MUTABLE_SV(l->profile)));
}

SV **read_data_slot(pTHX_ read_data *l, HV *hv, nytp_str key)
{
    I32 length = (I32)key.length;
    size_t before = HvTOTALKEYS(hv);
    SV **slot = hv_fetch(hv, key.length > 0 ? key.bytes : "", key.utf8 ? -length : length, 1);
    if (HvTOTALKEYS(hv) > before)
        read_bound_charge(aTHX_ & l->bound, READ_SLOT_BYTES + key.length);
    return slot;
}
