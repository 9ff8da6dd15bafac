#include "model/sampled.h"

double nytp_profile_sampled_hz(const nytp_profile *profile)
{
    const nytp_setting *setting = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, "sampled_hz");
    return setting != NULL ? nytp_sampled_hz(&setting->value) : 0;
}
