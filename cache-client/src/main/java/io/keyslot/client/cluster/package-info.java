// SPDX-License-Identifier: Apache-2.0
/** Where a client of a cluster learns which primaries there are: from the servers. */
@NullMarked
package io.keyslot.client.cluster;

import org.jspecify.annotations.NullMarked;
