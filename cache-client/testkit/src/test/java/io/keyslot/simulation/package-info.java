// SPDX-License-Identifier: Apache-2.0
/** The fault tests on the kit: seeded schedules of calls and faults of several processes, in virtual time. */
@NullMarked
package io.keyslot.simulation;

import org.jspecify.annotations.NullMarked;
