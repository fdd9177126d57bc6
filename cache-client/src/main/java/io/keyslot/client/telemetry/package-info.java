// SPDX-License-Identifier: Apache-2.0
/** What happens in a client, for meters and observations with Micrometer, which is optional. */
@NullMarked
package io.keyslot.client.telemetry;

import org.jspecify.annotations.NullMarked;
