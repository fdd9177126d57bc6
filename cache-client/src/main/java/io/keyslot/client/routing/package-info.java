// SPDX-License-Identifier: Apache-2.0
/** The way from a key to a reply: topology, owner of the slot, retries and deadlines. */
@NullMarked
package io.keyslot.client.routing;

import org.jspecify.annotations.NullMarked;
