// SPDX-License-Identifier: Apache-2.0
/** How much is asked for in each slot: counted by clients, and as a report of one client. */
@NullMarked
package io.keyslot.client.traffic;

import org.jspecify.annotations.NullMarked;
