// SPDX-License-Identifier: Apache-2.0

/** Calls the application's loader once for all who wait for the same entry, and not more often than it can bear. */
@NullMarked
package io.keyslot.client.loading;

import org.jspecify.annotations.NullMarked;
