// SPDX-License-Identifier: Apache-2.0
/**
 * From a slot to a reply: which partition is asked, whether it can be asked, how often, and until when. Everything is
 * asynchronous; {@link io.keyslot.client.concurrent.Waiter} alone waits.
 */
@NullMarked
package io.keyslot.client.routing;

import org.jspecify.annotations.NullMarked;
